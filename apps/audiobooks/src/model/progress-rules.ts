import type { Jump, PlaybackEvent, Progress } from './playback.ts';
import { percentOf } from './timeline.ts';

/**
 * Applies a report to the progress of a book. The report with the latest event time decides the position, so rewinding
 * works, and late reports do not overwrite newer ones. Whether the book is finished depends only on the times of
 * finishes and restarts, so the order in which reports arrive does not matter.
 */

export interface FinishedWhen {
  readonly seconds: number;
  readonly percent: number;
}

export const FINISHED_WHEN: FinishedWhen = { seconds: 30, percent: 99 };

/**
 * Upper limit for the finished rule's `seconds`, as a fraction of the book: 30 seconds could be half of a short story.
 */
const END_SHARE_MAX = 0.05;
/** Playing a finished book restarts it if the position is within this first fraction of the book. */
const EARLY_SHARE = 0.1;
/** Shorter jumps are not recorded in the list of jumps. */
const JUMP_MS = 30_000;

/** A report whose position has been converted to the current timeline. */
export type PlacedReport = Pick<
  PlaybackEvent,
  | 'user_id'
  | 'book_id'
  | 'segment_id'
  | 'position_seconds'
  | 'book_position_ms'
  | 'generation'
  | 'event_type'
  | 'play_speed'
  | 'device_id'
  | 'occurred_at'
  | 'book_duration_ms'
>;

export interface Applied {
  /** If the report changes nothing, this is the identical object that was passed in. */
  readonly progress: Progress;
  /** Whether this report determines the current position. */
  readonly wins: boolean;
  readonly finishes: boolean;
  readonly jump: Jump | undefined;
}

export function applyReport(
  before: Progress | undefined,
  report: PlacedReport,
  rule: FinishedWhen,
  isChosen = false,
): Applied {
  const base = before ?? notStarted(report);
  const marked = mark(base, report, rule);
  const wins = before === undefined || report.occurred_at >= base.updated_at;
  const finishes = marked.completions > base.completions;
  if (!wins) {
    const changed = marked === base ? base : { ...marked, revision: base.revision + 1 };
    return { progress: changed, wins, finishes, jump: undefined };
  }
  const progress: Progress = {
    ...marked,
    segment_id: report.segment_id,
    position_seconds: report.position_seconds,
    book_position_ms: report.book_position_ms,
    generation: report.generation,
    percent_complete: percentOf(report.book_position_ms, report.book_duration_ms),
    play_speed: report.play_speed,
    device_id: report.device_id,
    started: true,
    ...(base.started ? {} : { started_at: report.occurred_at }),
    ...(base.hidden === true ? { hidden: false } : {}),
    updated_at: report.occurred_at,
    revision: before === undefined ? 0 : before.revision + 1,
  };
  return { progress, wins, finishes, jump: jumpFrom(before, report, isChosen) };
}

function notStarted(report: PlacedReport): Progress {
  return {
    user_id: report.user_id,
    book_id: report.book_id,
    segment_id: report.segment_id,
    position_seconds: 0,
    book_position_ms: 0,
    generation: report.generation,
    percent_complete: 0,
    finished: false,
    completions: 0,
    cycle: 0,
    started: false,
    play_speed: report.play_speed,
    device_id: null,
    finished_at: null,
    restarted_from: null,
    restarted_to: null,
    cleared_at: null,
    updated_at: report.occurred_at,
    revision: 0,
    version: 1,
  };
}

/** Returns whether the listener has reached the end by listening; seeking to the end does not count. */
function isAtEnd(report: PlacedReport, rule: FinishedWhen): boolean {
  if (report.event_type === 'complete') return true;
  if (report.event_type !== 'progress' && report.event_type !== 'pause') return false;
  const total = report.book_duration_ms;
  if (total <= 0) return false;
  const left = total - report.book_position_ms;
  return (
    left <= Math.min(rule.seconds * 1_000, total * END_SHARE_MAX) ||
    report.book_position_ms >= (total * rule.percent) / 100
  );
}

function mark(progress: Progress, report: PlacedReport, rule: FinishedWhen): Progress {
  if (progress.cleared_at !== null && report.occurred_at <= progress.cleared_at) return progress;
  if (isAtEnd(report, rule)) return markFinished(progress, report.occurred_at);
  const isEarly = report.book_position_ms < report.book_duration_ms * EARLY_SHARE;
  return report.event_type === 'progress' && isEarly ? markRestarted(progress, report.occurred_at) : progress;
}

/** Marks the book as finished. Counts another finish only if the book was restarted since the last one. */
export function markFinished(progress: Progress, at: string): Progress {
  const { finished_at: last, restarted_from: from, restarted_to: to } = progress;
  if (last !== null && at <= last) return progress;
  const isNew = last === null || (from !== null && from < at);
  const stillRestarted = to !== null && to > at;
  return settled({
    ...progress,
    completions: progress.completions + (isNew ? 1 : 0),
    cycle: progress.cycle + (isNew && stillRestarted ? 1 : 0),
    finished_at: at,
    restarted_from: stillRestarted ? (from !== null && from > at ? from : to) : null,
    restarted_to: stillRestarted ? to : null,
  });
}

function markRestarted(progress: Progress, at: string): Progress {
  const { finished_at: last, restarted_from: from, restarted_to: to } = progress;
  if (last !== null && at <= last) return progress;
  if (from !== null && to !== null && at >= from && at <= to) return progress;
  return settled({
    ...progress,
    cycle: progress.cycle + (last !== null && from === null ? 1 : 0),
    restarted_from: from === null || at < from ? at : from,
    restarted_to: to === null || at > to ? at : to,
  });
}

function settled(progress: Progress): Progress {
  return { ...progress, finished: progress.finished_at !== null && progress.restarted_to === null };
}

/** Reverts the last finish. Reports from before `at` cannot finish the book again. */
export function markUnfinished(progress: Progress, at: string): Progress {
  return {
    ...progress,
    finished: false,
    completions: Math.max(0, progress.completions - (progress.finished ? 1 : 0)),
    finished_at: null,
    restarted_from: null,
    restarted_to: null,
    cleared_at: at,
  };
}

function jumpFrom(before: Progress | undefined, report: PlacedReport, isChosen: boolean): Jump | undefined {
  if (before === undefined || !before.started) return undefined;
  const isSwitch = report.device_id !== before.device_id && before.device_id !== null;
  const reason = isChosen ? 'set' : report.event_type === 'seek' ? 'seek' : isSwitch ? 'device' : undefined;
  if (reason === undefined || Math.abs(report.book_position_ms - before.book_position_ms) < JUMP_MS) return undefined;
  return {
    book_position_ms: before.book_position_ms,
    generation: before.generation,
    at: report.occurred_at,
    device_id: before.device_id,
    reason,
  };
}

/** Marks the book as never started. Statistics still count its finishes. */
export function resetProgress(progress: Progress, start: { readonly segmentId: string }, at: string): Progress {
  return {
    ...progress,
    segment_id: start.segmentId,
    position_seconds: 0,
    book_position_ms: 0,
    percent_complete: 0,
    finished: false,
    completions: 0,
    cycle: progress.cycle + 1,
    started: false,
    finished_at: null,
    restarted_from: null,
    restarted_to: null,
    cleared_at: at,
    updated_at: at,
    revision: progress.revision + 1,
  };
}
