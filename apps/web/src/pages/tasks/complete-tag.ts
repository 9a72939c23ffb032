const SUGGESTIONS_MAX = 6;

/** A tag that the user is typing at the end of a text. `start` is the index of its first character. */
export interface TypedTag {
  readonly start: number;
  readonly prefix: string;
}

/** Returns the tag that the user is typing at the end of a line, after `#`. */
export function tagAtEnd(line: string): TypedTag | undefined {
  const [, prefix] = /(?:^|\s)#"?([^\s#",]+)$/u.exec(line) ?? [];
  return prefix === undefined ? undefined : { start: line.lastIndexOf('#'), prefix };
}

/** Returns the last tag of a comma-separated list. */
export function tagInList(list: string): TypedTag | undefined {
  const start = list.lastIndexOf(',') + 1;
  const prefix = list.slice(start).trimStart();
  return prefix.trim() === '' ? undefined : { start: list.length - prefix.length, prefix };
}

/** Returns known tags that start with the prefix, most used first. `known` is sorted by use. */
export function suggestedTags(known: readonly string[], { prefix }: TypedTag): readonly string[] {
  const start = prefix.normalize('NFC').toLowerCase();
  return known.filter((tag) => tag.startsWith(start) && tag !== start).slice(0, SUGGESTIONS_MAX);
}

export function withTag(line: string, { start }: TypedTag, tag: string): string {
  return `${line.slice(0, start)}#${/[\s#]/u.test(tag) ? `"${tag}"` : tag} `;
}

export function withListedTag(list: string, { start }: TypedTag, tag: string): string {
  return `${list.slice(0, start)}${tag}, `;
}
