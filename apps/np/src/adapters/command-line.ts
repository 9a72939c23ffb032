/** The command line as the log keeps it: complete for short words, with the beginning of long ones. */
const WORD_CHARACTERS_MAX = 80;

export function commandLine(program: string, words: readonly string[] = process.argv.slice(2)): string {
  return [program, ...words.map(quoted)].join(' ');
}

function quoted(word: string): string {
  const characters = Array.from(word);
  const isLong = characters.length > WORD_CHARACTERS_MAX;
  // Half a pair that a shell let through cannot be stored as text.
  const shown = (isLong ? `${characters.slice(0, WORD_CHARACTERS_MAX).join('')}…` : word).toWellFormed();
  return /^[\w@%+=:,./\u2026-]+$/u.test(shown) ? shown : `'${shown.replaceAll("'", String.raw`'\''`)}'`;
}
