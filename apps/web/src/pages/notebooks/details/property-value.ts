/** Kinds of properties that can be edited in place; `other` is read-only. */
export type PropertyKind = 'text' | 'number' | 'date' | 'list' | 'boolean' | 'other';

export type PropertyValue = string | number | boolean | string[];

export const propertyKinds: readonly { readonly value: Exclude<PropertyKind, 'other'>; readonly label: string }[] = [
  { value: 'text', label: 'Text' },
  { value: 'number', label: 'Number' },
  { value: 'date', label: 'Date' },
  { value: 'list', label: 'List' },
  { value: 'boolean', label: 'Yes or no' },
];

const DATE = /^\d{4}-\d{2}-\d{2}$/u;

export function kindOf(value: unknown): PropertyKind {
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'number') return 'number';
  if (typeof value === 'string') return DATE.test(value) ? 'date' : 'text';
  if (value === null) return 'text';
  return Array.isArray(value) && value.every((each) => typeof each === 'string' || typeof each === 'number')
    ? 'list'
    : 'other';
}

export function formatProperty(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Parses form text; returns undefined if it is not a value of this kind. */
export function parseProperty(text: string, kind: PropertyKind): PropertyValue | undefined {
  const trimmed = text.trim();
  switch (kind) {
    case 'number':
      return trimmed === '' || Number.isNaN(Number(trimmed)) ? undefined : Number(trimmed);
    case 'date':
      return DATE.test(trimmed) ? trimmed : undefined;
    case 'list':
      return trimmed
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '');
    case 'boolean':
      return trimmed === 'true';
    case 'other':
      return undefined;
    case 'text':
    default:
      return text;
  }
}
