/** Folders that are parts of a book, not books. */

const NAMED = /(?:^|[\s\-–_.([,])(?:cd|dis[ck]|disque|disco|cassette|tape)\s*[-_#.]?\s*(?<number>\d{1,3})(?!\d)/iu;
const ONLY_NUMBER = /^(?:part|teil|side|seite|reel)?\s*[-_#.]?\s*(?<number>\d{1,3})$/iu;

/** The number of a disc in the name of a folder; `siblings` are the other folders that hold sound beside it. */
export function discNumber(name: string, siblings: readonly string[] = []): number | undefined {
  const named = NAMED.exec(name)?.groups?.['number'];
  if (named !== undefined) return Number(named);
  const plain = ONLY_NUMBER.exec(name)?.groups?.['number'];
  // One folder called `1984` or `Part 2` may be a book; several that are all numbered are parts of one.
  const areAllNumbered = siblings.length > 0 && siblings.every((sibling) => ONLY_NUMBER.test(sibling));
  return plain !== undefined && areAllNumbered ? Number(plain) : undefined;
}

/** The name without the disc, for folders like `Dune CD 1` beside `Dune CD 2`. */
export function withoutDisc(name: string): string {
  const match = NAMED.exec(name);
  return match === null
    ? name
    : name
        .slice(0, match.index)
        .replace(/[\s\-–_([,]+$/u, '')
        .trim();
}
