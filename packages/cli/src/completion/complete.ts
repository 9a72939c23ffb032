/** Answers the completion scripts: one candidate per line, then a tab and its description. */
import type { CommandSpec } from '../spec/command.ts';
import { onOneLine } from '../text/escape.ts';
import { completionsAt } from './candidates.ts';
import { splitCommandLine } from './line.ts';
import { PATHS_MARK } from './shells.ts';
import type { Shell } from './shells.ts';

export interface CompletionQuestion {
  readonly shell: Shell;
  /** The command line up to the cursor, including the program's name. */
  readonly line: string;
  /** The current word as bash sees it: bash splits `--status=op` into three words. */
  readonly word: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export async function answerCompletion(program: CommandSpec, question: CompletionQuestion): Promise<string> {
  const words = splitCommandLine(question.line);
  const typed = words.at(-1) ?? '';
  const completion = await completionsAt(program, words.slice(1, -1), typed, question.env);
  if (completion.kind === 'paths') return `${PATHS_MARK[completion.of]}\n`;
  const toWord = question.shell === 'bash' ? bashWord(typed, question.word) : onOneLine;
  return completion.candidates.map(({ value, summary = '' }) => `${toWord(value)}\t${onOneLine(summary)}\n`).join('');
}

/** Bash inserts candidates unquoted, unlike other shells; text after an open quote is already quoted. */
function bashWord(typed: string, word: string | undefined): (value: string) => string {
  const known = prefixKnownToBash(typed, word);
  const isQuoted = /^["']/u.test(word ?? '');
  return (value) => {
    const rest = onOneLine(value).slice(known);
    return isQuoted ? rest : rest.replaceAll(/[\s!"#$&'()*;<>?[\\\]^`{|}~]/gu, String.raw`\$&`);
  };
}

/** Returns how many characters of the word bash keeps; it replaces only the rest. */
function prefixKnownToBash(typed: string, word: string | undefined): number {
  if (word === undefined || typed === word) return 0;
  // On `--status=` the current word is the equals sign itself, and the value is empty.
  if (word === '=' || word === ':') return typed.length;
  return typed.endsWith(word) ? typed.length - word.length : 0;
}
