/** Answers the completion scripts: one candidate on a line, then a tab and what it means. */
import type { CommandSpec } from '../spec/command.ts';
import { onOneLine } from '../text/escape.ts';
import { completionsAt } from './candidates.ts';
import { splitCommandLine } from './line.ts';
import { PATHS_MARK } from './shells.ts';
import type { Shell } from './shells.ts';

export interface CompletionQuestion {
  readonly shell: Shell;
  /** The command line up to the cursor, with the program's name. */
  readonly line: string;
  /** The current word as bash sees it: bash takes `--status=op` for three words. */
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

/** Other shells quote what they insert; bash takes it as it is. Where somebody has begun with a quote, it is quoted already. */
function bashWord(typed: string, word: string | undefined): (value: string) => string {
  const known = prefixKnownToBash(typed, word);
  const isQuoted = /^["']/u.test(word ?? '');
  return (value) => {
    const rest = onOneLine(value).slice(known);
    return isQuoted ? rest : rest.replaceAll(/[\s!"#$&'()*;<>?[\\\]^`{|}~]/gu, String.raw`\$&`);
  };
}

/** Number of characters of the word that bash keeps; it replaces only the rest. */
function prefixKnownToBash(typed: string, word: string | undefined): number {
  if (word === undefined || typed === word) return 0;
  // On `--status=` the current word is the equals sign itself, and nothing of the value has been typed.
  if (word === '=' || word === ':') return typed.length;
  return typed.endsWith(word) ? typed.length - word.length : 0;
}
