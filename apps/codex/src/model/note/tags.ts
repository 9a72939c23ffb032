import type { Properties } from './read-properties.ts';

const TAG_LENGTH_MAX = 100;

/** Tags ignore case and Unicode composition. */
export function tagKey(tag: string): string {
  return tag.normalize('NFC').toLowerCase();
}

/** Tags of the property `tags` (a list, or text separated by commas or spaces), then those of the text. */
export function tagsOf(properties: Properties, inText: readonly string[]): readonly string[] {
  const found = new Map<string, string>();
  for (const tag of [...listed(properties['tags']), ...inText]) {
    const name = tag.normalize('NFC').trim().replace(/^#+/u, '').slice(0, TAG_LENGTH_MAX);
    if (name !== '' && !found.has(tagKey(name))) found.set(tagKey(name), name);
  }
  return [...found.values()];
}

function listed(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.split(/[\s,]+/u);
  if (typeof value === 'number') return [String(value)];
  if (!Array.isArray(value)) return [];
  return value.filter((each) => typeof each === 'string' || typeof each === 'number').map(String);
}
