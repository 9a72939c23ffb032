const NAMED = /(?:^|[\s\-–_.([,])(?:cd|dis[ck]|disque|disco|cassette|tape)\s*[-_#.]?\s*(?<number>\d{1,3})(?!\d)/iu;
const ONLY_NUMBER = /^(?:part|teil|side|seite|reel)?\s*[-_#.]?\s*(?<number>\d{1,3})$/iu;

/** Returns the disc number in a folder name. `siblings` are the other folders with audio beside it. */
export function discNumber(name: string, siblings: readonly string[] = []): number | undefined {
  const named = NAMED.exec(name)?.groups?.['number'];
  if (named !== undefined) return Number(named);
  const plain = ONLY_NUMBER.exec(name)?.groups?.['number'];
  // A single folder called `1984` or `Part 2` may be a book; several numbered folders are parts of one.
  const areAllNumbered = siblings.length > 0 && siblings.every((sibling) => ONLY_NUMBER.test(sibling));
  return plain !== undefined && areAllNumbered ? Number(plain) : undefined;
}

/** Removes the disc number, for folders like `Dune CD 1` beside `Dune CD 2`. */
export function withoutDisc(name: string): string {
  const match = NAMED.exec(name);
  return match === null
    ? name
    : name
        .slice(0, match.index)
        .replace(/[\s\-–_([,]+$/u, '')
        .trim();
}
