import { findRateLimit } from './rate-limit.ts';
import { type OutputFormat, readTranscript, type Transcript } from './transcript.ts';
import type { StopReason } from './supervision.ts';

type TurnResult = 'success' | 'failed' | 'question' | 'rate_limited' | StopReason;

export interface Ended {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Why the supervisor stopped the process, if it did. */
  readonly stopped: StopReason | undefined;
  readonly lastLines: readonly string[];
  /** The last lines of standard error. */
  readonly lastErrors: readonly string[];
  readonly format: OutputFormat;
  readonly rateLimitPatterns: readonly string[];
  readonly now: number;
}

export interface Verdict extends Pick<Transcript, 'costUsd' | 'inputTokens' | 'outputTokens'> {
  readonly result: TurnResult;
  /** Shown to people and included in the next prompt. */
  readonly failure: string | undefined;
  readonly question: string | undefined;
  readonly rateLimitedUntil: number | undefined;
}

/** A marker counts only at the start of a line and only with one of these phrases. */
const marks = [
  { kind: 'success', pattern: /^✓\s+(?:Task complete|All tests passing|Build successful|Changes committed)\b/ },
  { kind: 'failed', pattern: /^✗\s+((?:Task failed|Tests? failed|Build failed|Failed|Cannot)\b.*)$/ },
  { kind: 'question', pattern: /^\?\s+(?:Need clarification|Blocked on decision|Question)\s*[:.-]?\s*(\S.*)$/ },
] as const;

const FAILURE_LINES = 20;

/**
 * The last marker counts. A question or failure counts with any exit code; a success only with exit code 0. Without a
 * marker, the exit code decides. A stopped or rate-limited worker gets that result first.
 */
export function judge(ended: Ended): Verdict {
  const { lines: said, saysFailed, ...facts } = readTranscript(ended.lastLines, ended.format);
  // Standard output comes last, so its markers win over those of standard error.
  const lines = [...ended.lastErrors, ...said];
  const tail = [...lastOf(ended.lastErrors), ...lastOf(said)];
  const verdict = (result: TurnResult, more: Partial<Verdict> = {}): Verdict => ({
    ...facts,
    result,
    failure: undefined,
    question: undefined,
    rateLimitedUntil: undefined,
    ...more,
  });
  if (ended.stopped !== undefined) return verdict(ended.stopped, { failure: withTail(stopTexts[ended.stopped], tail) });
  const isGoodExit = ended.exitCode === 0 && !saysFailed;
  if (!isGoodExit) {
    const limit = findRateLimit(lines, ended.rateLimitPatterns, ended.now);
    if (limit !== undefined) return verdict('rate_limited', { failure: limit.line, rateLimitedUntil: limit.until });
  }
  const mark = lastMark(lines);
  if (mark?.kind === 'question') return verdict('question', { question: mark.text });
  if (mark?.kind === 'failed') return verdict('failed', { failure: withTail(mark.text, tail) });
  if (isGoodExit) return verdict('success');
  const how = ended.signal === null ? `ended with exit code ${ended.exitCode}` : `was ended by ${ended.signal}`;
  return verdict('failed', { failure: withTail(`The worker ${how}`, tail) });
}

const stopTexts: Readonly<Record<StopReason, string>> = {
  timeout: 'The worker exceeded its time limit',
  silence: 'The worker printed nothing within the silence limit',
  total_timeout: 'The task exceeded its total time limit',
  cancelled: 'Cancelled',
  lease_lost: 'The lease was lost',
  shutdown: 'The supervisor was stopped',
};

function lastMark(
  lines: readonly string[],
): { readonly kind: 'success' | 'failed' | 'question'; readonly text: string } | undefined {
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
