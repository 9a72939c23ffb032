import type { OutputFormat } from '../model/presets.ts';
import { findServiceProblem, type ServiceProblemKind } from './service-problem.ts';
import type { StopReason } from './supervision.ts';
import { readTranscript, type Transcript } from './transcript.ts';

type TurnResult = 'success' | 'no_change' | 'failed' | 'denied' | 'question' | ServiceProblemKind | StopReason;

export interface Ended {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Why the supervisor stopped the process, if it did. */
  readonly stopped: StopReason | undefined;
  readonly lastLines: readonly string[];
  /** The last lines of standard error. */
  readonly lastErrors: readonly string[];
  readonly format: OutputFormat;
  /** Whether the attempt changed anything; undefined if that is unknown or irrelevant. */
  readonly hasChanged?: boolean | undefined;
  readonly rateLimitPatterns: readonly string[];
  readonly now: number;
}

export interface Verdict extends Pick<Transcript, 'costUsd' | 'inputTokens' | 'outputTokens' | 'session'> {
  readonly result: TurnResult;
  /** Shown to people and included in the next prompt. */
  readonly failure: string | undefined;
  readonly question: string | undefined;
  /** The worker's reason why the task needed no change. */
  readonly note: string | undefined;
}

/** A marker counts only at the start of a line and only with one of these phrases. */
const marks = [
  { kind: 'success', pattern: /^✓\s+(?:Task complete|All tests passing|Build successful|Changes committed)\b/ },
  { kind: 'no_change', pattern: /^✓\s+No changes? needed\s*[:.-]?\s*(.*)$/ },
  { kind: 'failed', pattern: /^✗\s+((?:Task failed|Tests? failed|Build failed|Failed|Cannot)\b.*)$/ },
  { kind: 'question', pattern: /^\?\s+(?:Need clarification|Blocked on decision|Question)\s*[:.-]?\s*(\S.*)$/ },
] as const;

const FAILURE_LINES = 20;

/**
 * The last marker counts. A question or failure counts with any exit code, a success only with exit code 0. Without a
 * marker, the exit code decides. A success without any change counts only if the worker stated that no change was
 * necessary and no tool call was denied.
 */
export function judge(ended: Ended): Verdict {
  const { lines: said, saysFailed, denials, apiStatus, ...facts } = readTranscript(ended.lastLines, ended.format);
  // Standard output comes last, so its markers win over those of standard error.
  const lines = [...ended.lastErrors, ...said];
  const tail = [...lastOf(ended.lastErrors), ...lastOf(said)];
  const verdict = (result: TurnResult, more: Partial<Verdict> = {}): Verdict => ({
    ...facts,
    result,
    failure: undefined,
    question: undefined,
    note: undefined,
    ...more,
  });
  const { rateLimitPatterns: patterns, now } = ended;
  if (ended.stopped !== undefined) {
    const last = [...lastOf(ended.lastErrors), ...lastOf(said).slice(-1)];
    const isOutOfTime = ended.stopped === 'timeout' || ended.stopped === 'silence';
    // Some agents wait forever for a service that fails, so a problem with the service can look like a timeout.
    const problem = isOutOfTime ? findServiceProblem({ lines: last, apiStatus: null, patterns, now }) : undefined;
    if (problem !== undefined) return verdict(problem.kind, { failure: problem.line });
    return verdict(ended.stopped, { failure: withTail(stopText('The worker', ended.stopped), tail) });
  }
  const isGoodExit = ended.exitCode === 0 && !saysFailed;
  // Some agents exit with code 0 although their service has a problem.
  if (!isGoodExit || ended.hasChanged === false) {
    const problem = findServiceProblem({ lines, apiStatus, patterns, now });
    if (problem !== undefined) return verdict(problem.kind, { failure: problem.line });
  }
  const mark = lastMark(lines);
  if (mark?.kind === 'question') return verdict('question', { question: mark.text });
  if (mark?.kind === 'failed') return verdict('failed', { failure: withTail(mark.text, tail) });
  if (denials.length > 0) return verdict('denied', { failure: withTail(denialText(denials), tail) });
  if (isGoodExit && ended.hasChanged === false) {
    if (mark?.kind !== 'no_change') return verdict('no_change', { failure: withTail(NO_CHANGE, tail) });
    return verdict('success', { note: `No change needed: ${mark.text}` });
  }
  if (isGoodExit) return verdict('success');
  const how = ended.signal === null ? `ended with exit code ${ended.exitCode}` : `was ended by ${ended.signal}`;
  return verdict('failed', { failure: withTail(`The worker ${how}`, tail) });
}

const NO_CHANGE = 'The worker ended without changing anything';

function denialText(denials: readonly string[]): string {
  return `The worker was not permitted to use ${denials.join(', ')}. Work without it, or allow it in ringmaster.toml`;
}

const stopTexts: Readonly<Record<StopReason, string>> = {
  timeout: 'exceeded its time limit',
  silence: 'printed nothing within the silence limit',
  total_timeout: 'exceeded the total time limit of the task',
  memory: 'and its child processes exceeded memory_limit_mb',
  output: 'printed more than output_limit_mb',
  cancelled: 'was cancelled',
  attached: 'was stopped because a person attached to the task',
  lease_lost: 'lost its lease',
  budget: 'was stopped because a budget is used up',
  shutdown: 'was stopped together with the supervisor',
};

/** Says why a process was stopped; for example, 'The worker exceeded its time limit'. */
export function stopText(subject: string, reason: StopReason): string {
  return `${subject} ${stopTexts[reason]}`;
}

function lastMark(
  lines: readonly string[],
): { readonly kind: (typeof marks)[number]['kind']; readonly text: string } | undefined {
  for (const line of lines.toReversed()) {
    for (const { kind, pattern } of marks) {
      const found = pattern.exec(line);
      if (found !== null) return { kind, text: (found[1] ?? '').trim() };
    }
  }
  return undefined;
}

/** Adds the last lines of the output, which often explain more than the summary. */
export function withTail(summary: string, lines: readonly string[]): string {
  return [summary, ...lines].join('\n');
}

export function lastOf(lines: readonly string[]): readonly string[] {
  return lines.filter((line) => line.trim() !== '').slice(-FAILURE_LINES);
}
