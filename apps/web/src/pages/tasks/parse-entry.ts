/** Matches `#tag` or `#"two words"` between spaces. `#12` is an issue number and stays in the text. */
const TAG = /(?<=^|\s)#(?:"([^",]+)"|(?!\d+(?=\s|$))([^\s#",]+))(?=\s|$)/gu;

export interface Entry {
  readonly text: string;
  readonly tags: readonly string[];
}

export function parseEntry(line: string): Entry {
  const tags = [...line.matchAll(TAG)].map(([, quoted, plain]) => normalized(quoted ?? plain ?? ''));
  const text = line.replaceAll(TAG, '').replaceAll(/\s+/gu, ' ').trim();
  return { text, tags: [...new Set(tags.filter((tag) => tag !== ''))] };
}

/** Normalises tags as the store does, so that the preview matches the result. */
function normalized(tag: string): string {
  return tag.normalize('NFC').toLowerCase().normalize('NFC').trim();
}

/** Parses `home, two words`. Tags may contain any character except commas. */
export function parseTags(list: string): readonly string[] {
  return [...new Set(list.split(',').map(normalized))].filter((tag) => tag !== '');
}
