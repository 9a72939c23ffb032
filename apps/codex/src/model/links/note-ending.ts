/** The endings that a link to a note may leave out. */
const ENDING = /\.(?:md|markdown)$/iu;

export function hasNoteEnding(path: string): boolean {
  return ENDING.test(path);
}

export function withoutNoteEnding(path: string): string {
  return path.replace(ENDING, '');
}
