import type { Properties } from './read-properties.ts';

export interface PropertyValue {
  readonly name: string;
  /** The name with case and composition normalised. */
  readonly key: string;
  readonly value: string;
}

const VALUES_MAX = 200;
const VALUE_LENGTH_MAX = 200;
const DEPTH_MAX = 4;

export function propertyKey(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

export function propertyValueKey(value: string): string {
  return value.normalize('NFC').toLowerCase().trim().slice(0, VALUE_LENGTH_MAX).toWellFormed();
}

/** These are indexed separately. */
const KNOWN: ReadonlySet<string> = new Set(['title', 'description', 'tags']);

/** Flattens properties: one entry per list item, and dotted names for nested values. */
export function propertyValues(properties: Properties): readonly PropertyValue[] {
  const found = new Map<string, PropertyValue>();
  const add = (name: string, value: unknown, depth: number): void => {
    if (found.size >= VALUES_MAX || depth > DEPTH_MAX) return;
    if (Array.isArray(value)) {
      for (const each of value) add(name, each, depth + 1);
    } else if (typeof value === 'object' && value !== null) {
      for (const [below, each] of Object.entries(value)) add(`${name}.${below}`, each, depth + 1);
    } else {
      const text = propertyValueKey(textOf(value));
      const key = propertyKey(name);
      found.set(`${key}\n${text}`, { name, key, value: text });
    }
  };
  for (const [name, value] of Object.entries(properties)) if (!KNOWN.has(name)) add(name, value, 0);
  return [...found.values()];
}

export function propertyText(properties: Properties): string {
  const lines: string[] = [];
  const add = (value: unknown): void => {
    if (Array.isArray(value)) for (const each of value) add(each);
    else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) add(each);
    else if (value !== null && typeof value !== 'boolean') lines.push(textOf(value));
  };
  for (const [name, value] of Object.entries(properties)) if (name !== 'title' && name !== 'tags') add(value);
  return lines.join('\n');
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === null ? '' : JSON.stringify(value);
}
