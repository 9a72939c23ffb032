/** `#tag`, or `#"two words"`, with space around it. `#12` is a number of something else and stays text. */
const TAG = /(?<=^|\s)#(?:"([^",]+)"|(?!\d+(?=\s|$))([^\s#",]+))(?=\s|$)/gu;

export interface Entry {
  readonly text: string;
  readonly tags: readonly string[];
}

/** One line as people write it: `Buy milk #errand`. */
export function parseEntry(line: string): Entry {
  const tags = [...line.matchAll(TAG)].map(([, quoted, plain]) => normalized(quoted ?? plain ?? ''));
  const text = line.replaceAll(TAG, '').replaceAll(/\s+/gu, ' ').trim();
  return { text, tags: [...new Set(tags.filter((tag) => tag !== ''))] };
}

/** As the store writes them, so that what is shown before is what is there afterwards. */
function normalized(tag: string): string {
  return tag.normalize('NFC').toLowerCase().normalize('NFC').trim();
}

/** `home, two words`: a tag has everything in it but a comma. */
export function parseTags(list: string): readonly string[] {
  return [...new Set(list.split(',').map(normalized))].filter((tag) => tag !== '');
}
