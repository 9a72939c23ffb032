import { tokensOf } from './tokens.ts';

export type SourceName =
  'task' | 'decisions' | 'failure' | 'project' | 'results' | 'chat' | 'summaries' | 'context' | 'code';

export interface Candidate {
  readonly source: SourceName;
  /** Name that people see: a path, or the number of a message. */
  readonly name: string;
  /** From 0 to 1. Candidates with a higher score come first. */
  readonly score: number;
  /** Why this is a candidate. */
  readonly reason: string;
  /** Position among the parts of the same source; by default, parts are ordered by score. */
  readonly position?: number;
  /** Returns the text, cut to at most this many tokens; empty if too little would remain. */
  readonly fit: (tokens: number) => { readonly text: string; readonly isCut: boolean };
}

export interface SourceLimit {
  readonly source: SourceName;
  readonly maxTokens: number;
  /** Candidates with a lower score are left out. */
  readonly threshold: number;
}

type Verdict = 'whole' | 'cut' | 'left out';

export interface Considered {
  readonly source: SourceName;
  readonly name: string;
  readonly score: number;
  readonly tokens: number;
  readonly verdict: Verdict;
  readonly reason: string;
}

export interface Chosen extends Considered {
  readonly text: string;
  readonly position: number;
}

const SEPARATOR_TOKENS = 1;
const TOKENS_MIN = 24;

/**
 * Takes the best candidates of each source, within the source's limit and the remaining budget. Gives every candidate a
 * verdict with a reason, so that people can see why it was not used.
 */
export function choose(
  candidates: readonly Candidate[],
  limits: readonly SourceLimit[],
  budget: number,
): { readonly chosen: readonly Chosen[]; readonly considered: readonly Considered[]; readonly tokens: number } {
  const chosen: Chosen[] = [];
  const considered: Considered[] = [];
  let left = budget;
  for (const { source, maxTokens, threshold } of limits) {
    let room = Math.min(maxTokens, left);
    const ranked = candidates
      .filter((candidate) => candidate.source === source)
      .sort((one, other) => other.score - one.score);
    for (const candidate of ranked) {
      const { name, score, reason, position = considered.length } = candidate;
      const leaveOut = (why: string): void => {
        considered.push({ source, name, score, tokens: 0, verdict: 'left out', reason: why });
      };
      if (score < threshold) {
        leaveOut(`scores less than ${threshold}`);
        continue;
      }
      if (room < TOKENS_MIN) {
        leaveOut(
          left < maxTokens ? 'no room left in the prompt' : `no room left: ${source} has at most ${maxTokens} tokens`,
        );
        continue;
      }
      const { text, isCut } = candidate.fit(room - SEPARATOR_TOKENS);
      const tokens = tokensOf(text) + SEPARATOR_TOKENS;
      if (text.trim() === '' || tokens > room) {
        leaveOut('does not fit');
        continue;
      }
      room -= tokens;
      left -= tokens;
      const entry: Considered = { source, name, score, tokens, verdict: isCut ? 'cut' : 'whole', reason };
      considered.push(entry);
      chosen.push({ ...entry, text, position });
    }
  }
  return { chosen, considered, tokens: budget - left };
}
