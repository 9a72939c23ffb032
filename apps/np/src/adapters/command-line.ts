/**
 * The command line for the log. Every event carries it, so long words and long lines are
 * truncated.
 */
const WORD_CHARACTERS_MAX = 80;
const LINE_CHARACTERS_MAX = 400;

export function commandLine(program: string, words: readonly string[] = process.argv.slice(2)): string {
  return shortened([program, ...words.map(quoted)].join(' '), LINE_CHARACTERS_MAX);
}

function quoted(word: string): string {
  const shown = shortened(word, WORD_CHARACTERS_MAX);
  return /^[\w@%+=:,./\u2026-]+$/u.test(shown) ? shown : `'${shown.replaceAll("'", String.raw`'\''`)}'`;
}

/** Cuts between characters: half of a surrogate pair cannot be stored as text. */
function shortened(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text.toWellFormed();
  const kept = text.slice(0, charactersMax);
  return `${kept.isWellFormed() ? kept : kept.slice(0, -1).toWellFormed()}…`;
}
