/** Answers the completion scripts: prints one candidate per line, each followed by a tab and its description. */
import { optionFlag, optionFlags } from '../parse/names.ts';
import { commandOf, findCommand, optionsInScope, type ResolvedCommand } from '../parse/resolve.ts';
import { tokenize } from '../parse/tokens.ts';
import type { CommandSpec } from '../spec/command.ts';
import type { Candidate, Completer, OptionSpec, OptionSpecs } from '../spec/option.ts';
import { onOneLine } from '../text/text.ts';
import { PATHS_MARK, type Shell } from './shells.ts';

interface CompletionQuestion {
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

/**
 * Escapes candidates, because bash, unlike other shells, inserts them unquoted. Candidates after an open quote need no
 * escaping.
 */
function bashWord(typed: string, word: string | undefined): (value: string) => string {
  const known = prefixKnownToBash(typed, word);
  const isQuoted = /^["']/u.test(word ?? '');
  return (value) => {
    const rest = onOneLine(value).slice(known);
    return isQuoted ? rest : rest.replaceAll(/[\s!"#$&'()*;<>?[\\\]^`{|}~]/gu, String.raw`\$&`);
  };
}

/** Returns the length of the typed text before bash's current word. bash replaces only its current word. */
function prefixKnownToBash(typed: string, word: string | undefined): number {
  if (word === undefined || typed === word) return 0;
  // After `--status=`, the current word is the equals sign itself, and the value is empty.
  if (word === '=' || word === ':') return typed.length;
  return typed.endsWith(word) ? typed.length - word.length : 0;
}

/** Candidates for the word at the cursor. */

type Completion =
  | { readonly kind: 'candidates'; readonly candidates: readonly Candidate[] }
  | { readonly kind: 'paths'; readonly of: 'file' | 'directory' };

type Environment = Readonly<Record<string, string | undefined>>;

/** `words` are the complete words after the program's name; `typed` is the partial word at the cursor. */
async function completionsAt(
  program: CommandSpec,
  words: readonly string[],
  typed: string,
  env: Environment,
): Promise<Completion> {
  const { path, words: left } = commandPath(program, words);
  const options = optionsInScope(path);
  const attached = /^(?<flag>--[^=]+)=(?<value>.*)$/su.exec(typed)?.groups;
  if (attached !== undefined) {
    const completion = await valuesOf(optionOf(attached['flag'] ?? '', options), attached['value'] ?? '', env);
    return startingWith(withPrefix(completion, `${attached['flag']}=`), typed);
  }
  const waiting = words.includes('--') ? undefined : optionOf(words.at(-1) ?? '', options);
  if (waiting !== undefined && waiting.type !== 'boolean')
    return startingWith(await valuesOf(waiting, typed, env), typed);
  if (typed.startsWith('-') && !words.includes('--')) return startingWith(listed(optionCandidates(options)), typed);
  return startingWith(await argumentsAt(path, left, typed, env), typed);
}

/** Follows the words until one does not name a command. Unlike when a command runs, an unknown word is not an error. */
function commandPath(program: CommandSpec, words: readonly string[]): ResolvedCommand {
  const path: CommandSpec[] = [program];
  let left = words;
  for (;;) {
    const first = tokenize(left, optionsInScope(path)).find((token) => token.kind === 'argument');
    const next = first === undefined ? undefined : findCommand(commandOf(path), first.value);
    if (first === undefined || next === undefined) return { path, words: left };
    path.push(next);
    left = left.toSpliced(first.index, 1);
  }
}

async function argumentsAt(
  path: readonly CommandSpec[],
  words: readonly string[],
  typed: string,
  env: Environment,
): Promise<Completion> {
  const command = commandOf(path);
  const given = tokenize(words, optionsInScope(path)).filter((token) => token.kind === 'argument').length;
  const children = given > 0 ? [] : (command.commands ?? []).filter((child) => child.hidden !== true);
  const specs = command.arguments ?? [];
  const spec = specs[given] ?? (specs.at(-1)?.variadic === true ? specs.at(-1) : undefined);
  const values = await valuesOf(spec, typed, env);
  if (values.kind === 'paths') return values;
  return listed([
    ...children.map((child) => ({ value: nameFor(child, typed), summary: child.summary })),
    ...values.candidates,
  ]);
}

/** Returns the alias that the user has begun to type, or the name. */
function nameFor({ name, aliases = [] }: CommandSpec, typed: string): string {
  return [name, ...aliases].find((each) => each.startsWith(typed)) ?? name;
}

interface Completable {
  readonly choices?: readonly string[];
  readonly complete?: Completer;
}

async function valuesOf(spec: Completable | undefined, typed: string, env: Environment): Promise<Completion> {
  if (spec?.choices !== undefined) return listed(spec.choices.map((value) => ({ value })));
  if (spec?.complete === undefined) return listed([]);
  if (typeof spec.complete === 'string') return { kind: 'paths', of: spec.complete };
  const { complete } = await spec.complete();
  return listed(await complete({ typed, env }));
}

function optionCandidates(options: OptionSpecs): readonly Candidate[] {
  return Object.entries(options)
    .filter(([, spec]) => spec.hidden !== true)
    .map(([name, spec]) => ({ value: optionFlag(name, spec), summary: spec.summary }));
}

function optionOf(flag: string, options: OptionSpecs): OptionSpec | undefined {
  return Object.entries(options).find(([name, spec]) => optionFlags(name, spec).includes(flag))?.[1];
}

function listed(candidates: readonly Candidate[]): Completion {
  return { kind: 'candidates', candidates };
}

function startingWith(completion: Completion, typed: string): Completion {
  if (completion.kind === 'paths') return completion;
  return listed(completion.candidates.filter(({ value }) => value.startsWith(typed)));
}

function withPrefix(completion: Completion, prefix: string): Completion {
  if (completion.kind === 'paths') return completion;
  return listed(completion.candidates.map((candidate) => ({ ...candidate, value: prefix + candidate.value })));
}

/**
 * Splits a command line into words, as the shell would. The last word is the partial one; it is empty after a space.
 */
export function splitCommandLine(line: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote: '"' | "'" | undefined;
  for (let index = 0; index < line.length; index += 1) {
    const character = line.charAt(index);
    if (character === '\\' && quote !== "'") {
      index += 1;
      word = (word ?? '') + line.charAt(index);
    } else if (quote !== undefined) {
      if (character === quote) quote = undefined;
      else word += character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (character === ' ' || character === '\t' || character === '\n') {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? '') + character;
    }
  }
  return [...words, word ?? ''];
}
