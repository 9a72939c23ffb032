import type { Transaction } from '@holdfast/keyspace';
import type { ObjectValue } from '@holdfast/operation';
import type { playbackReports } from '../../operations/progress.ts';
import type { ReportRefusal } from '../../model/choices.ts';
import type { PlaybackEvent, Progress } from '../../model/playback.ts';
import { applyReport, FINISHED_WHEN, type FinishedWhen } from '../../model/progress-rules.ts';
import { toTime } from '../../model/stored.ts';
import { eventNumbers, progress } from '../../store/definitions.ts';
import { finishedWhen, isKnownEvent, rememberJump, writeEvent } from '../../store/listening.ts';
import { type CurrentPosition, listenedBook, positionOn } from '../../store/timelines.ts';
import type { Audiobooks } from '../audiobooks.ts';
import type { Listener } from '../listener.ts';

/** A playback event as a device reports it, with a position in the book or in one of its files. */
export type Report = ObjectValue<typeof playbackReports>['events'][number];

/** A report from a device that measures listening time itself. */
export type MeasuredReport = Report & { readonly listened_ms?: number | undefined };

export interface Recorded {
  readonly accepted: number;
  readonly duplicates: number;
  readonly refused: readonly { readonly event_id: string; readonly code: ReportRefusal }[];
  /** The current progress of every reported book. */
  readonly progress: readonly Progress[];
}

/** If the time of a report is further in the future than this, the time of arrival is used instead. */
const SKEW_MS = 120_000;
/**
 * If a device's clock is off by more than this, the times of its reports are corrected. A slow connection can cause
 * smaller differences.
 */
const OFF_MS = 30_000;
/** Reports with an earlier time are invalid. */
const EARLIEST = '2000-01-01T00:00:00.000Z';

/**
 * Stores reports and the resulting progress in one transaction. Ignores a report whose client id is already stored.
 * `sentAt` is the time at which the device sent the reports, by its own clock. Returns invalid reports in `refused` and
 * stores the others.
 */
export async function recordPlayback(
  { store, now, newId, uncounted }: Audiobooks,
  listener: Listener,
  reports: readonly MeasuredReport[],
  sentAt?: string,
): Promise<Recorded> {
  const arrived = now();
  const offMs = sentAt === undefined ? 0 : Date.parse(sentAt) - arrived;
  const wrongBy = Math.abs(offMs) > OFF_MS ? offMs : 0;
  // Sorts the reports by time, because an offline queue may not be in order.
  const ordered = reports
    .map((report) => ({ report, at: believedTime(Date.parse(report.occurred_at) - wrongBy, arrived) }))
    .sort((left, right) => ((left.at ?? '') < (right.at ?? '') ? -1 : (left.at ?? '') > (right.at ?? '') ? 1 : 0));
  const recorded = await store.transact(async (tx) => {
    const batch = new Batch(tx, listener, { arrived: toTime(arrived), newId });
    for (const { report, at } of ordered) await batch.take(report, at);
    return batch.finish();
  });
  if (recorded.accepted > 0) uncounted.add(listener.userId);
  return recorded;
}

function believedTime(time: number, arrived: number): string | undefined {
  if (Number.isNaN(time)) return undefined;
  const believed = toTime(time > arrived + SKEW_MS ? arrived : time);
  return believed < EARLIEST ? undefined : believed;
}

class Batch {
  readonly #tx: Transaction;
  readonly #listener: Listener;
  readonly #source: { readonly arrived: string; readonly newId: () => string };
  readonly #refused: { event_id: string; code: ReportRefusal }[] = [];
  readonly #touched = new Map<string, Progress | undefined>();
  #rule: FinishedWhen | undefined;
  #first: number | undefined;
  #accepted = 0;
  #duplicates = 0;

  constructor(tx: Transaction, listener: Listener, source: { readonly arrived: string; readonly newId: () => string }) {
    this.#tx = tx;
    this.#listener = listener;
    this.#source = source;
  }

  async take(report: MeasuredReport, at: string | undefined): Promise<void> {
    const place = await this.#placeOf(report, at);
    if (typeof place === 'string') {
      this.#refused.push({ event_id: report.event_id, code: place });
    } else if (await isKnownEvent(this.#tx, this.#listener.userId, report.event_id)) {
      this.#duplicates += 1;
      await this.#progressOf(report.book_id);
    } else {
      await this.#accept(report, at ?? this.#source.arrived, place);
    }
  }

  finish(): Recorded {
    if (this.#accepted > 0) this.#tx.add(eventNumbers, { user: this.#listener.userId }, this.#accepted);
    return {
      accepted: this.#accepted,
      duplicates: this.#duplicates,
      refused: this.#refused,
      progress: [...this.#touched.values()].filter((entry) => entry !== undefined),
    };
  }

  async #placeOf(report: Report, at: string | undefined): Promise<CurrentPosition | ReportRefusal> {
    if (at === undefined) return 'TIME_INVALID';
    const book = await listenedBook(this.#tx, report.book_id);
    if (book === undefined || !this.#listener.sees(book)) return 'BOOK_NOT_FOUND';
    const { position_ms: positionMs, segment_id: segmentId, position_seconds: seconds } = report;
    if (positionMs === undefined && (segmentId === undefined || seconds === undefined)) return 'POSITION_MISSING';
    const given =
      positionMs === undefined
        ? { segmentId: segmentId ?? '', segmentPositionMs: Math.round((seconds ?? 0) * 1_000) }
        : { positionMs, generation: report.generation };
    const place = await positionOn(this.#tx, book.map, given);
    if (place === 'no-files') return 'BOOK_WITHOUT_FILES';
    return place === 'unknown' ? 'SEGMENT_NOT_FOUND' : place;
  }

  async #accept(report: MeasuredReport, at: string, place: CurrentPosition): Promise<void> {
    const { userId } = this.#listener;
    this.#first ??= await this.#tx.get(eventNumbers, { user: userId });
    // Reads the finished rule only if the position is in the second half of the book, because the rule never applies in
    // the first half.
    if (place.bookPositionMs * 2 >= place.totalMs) this.#rule ??= await finishedWhen(this.#tx, userId);
    this.#accepted += 1;
    const before = await this.#progressOf(report.book_id);
    const placed = {
      user_id: userId,
      book_id: report.book_id,
      segment_id: place.segmentId,
      position_seconds: place.positionMs / 1_000,
      book_position_ms: place.bookPositionMs,
      generation: place.generation,
      event_type: report.event_type,
      play_speed: report.play_speed,
      device_id: report.device_id,
      occurred_at: at,
      book_duration_ms: place.totalMs,
    };
    const applied = applyReport(before, placed, this.#rule ?? FINISHED_WHEN);
    const key = { user_id: userId, book_id: report.book_id };
    const event: PlaybackEvent = {
      ...placed,
      id: this.#source.newId(),
      client_event_id: report.event_id,
      session_id: report.session_id ?? null,
      seq: this.#first + this.#accepted,
      cycle: applied.progress.cycle,
      finishes: applied.finishes,
      created_at: this.#source.arrived,
      ...(report.listened_ms === undefined ? {} : { listened_ms: report.listened_ms }),
      version: 1,
    };
    await writeEvent(this.#tx, event);
    if (applied.progress !== before) await this.#tx.put(progress, key, applied.progress);
    if (applied.jump !== undefined) await rememberJump(this.#tx, key, applied.jump);
    this.#touched.set(report.book_id, applied.progress);
  }

  async #progressOf(bookId: string): Promise<Progress | undefined> {
    const known = this.#touched.get(bookId);
    if (known !== undefined) return known;
    const found = await this.#tx.get(progress, { user_id: this.#listener.userId, book_id: bookId });
    this.#touched.set(bookId, found);
    return found;
  }
}
