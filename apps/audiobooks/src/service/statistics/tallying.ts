import type { Transaction } from '@holdfast/keyspace';
import type { PlaybackEvent } from '../../model/playback.ts';
import {
  type BookTally,
  byDay,
  type DayTally,
  EMPTY_BOOK_TALLY,
  EMPTY_DAY_TALLY,
  EMPTY_USER_TALLY,
  listenedSpan,
  measure,
  measuredSpan,
  measureTogether,
  pointOf,
  type Side,
  type Span,
  unite,
  type UserTally,
} from '../../model/tally.ts';
import { bookTallies, dayTallies, userTallies } from '../../store/definitions.ts';

/** A play requires this much listening or this fraction of the book, whichever is shorter. */
const PLAY_MS = 60_000;
const PLAY_SHARE = 0.05;
/**
 * Maximum number of devices per user. If there are more, the oldest is dropped. Without a limit, the number would grow
 * forever, because a browser becomes a new device each time its data is cleared.
 */
const DEVICES_MAX = 64;

/** A book's totals before and after one count. */
export interface Growth {
  readonly before: BookTally;
  readonly after: BookTally;
}

/**
 * Counts the events of one user in sequence inside a transaction; `write` stores the result. The result depends only on
 * the events and their order, so counting again from the start or from the kept totals gives the same result.
 */
export class Tallying {
  readonly #tx: Transaction;
  readonly #side: Side;
  readonly #user: string;
  readonly #days = new Map<string, DayTally>();
  readonly #books = new Map<string, Growth>();
  #tally: UserTally;
  readonly before: UserTally;

  private constructor(tx: Transaction, side: Side, user: string, tally: UserTally) {
    this.#tx = tx;
    this.#side = side;
    this.#user = user;
    this.#tally = tally;
    this.before = tally;
  }

  static async open(tx: Transaction, side: Side, user: string): Promise<Tallying> {
    const tally = await tx.get(userTallies, { side, user });
    return new Tallying(tx, side, user, tally ?? EMPTY_USER_TALLY);
  }

  get after(): UserTally {
    return this.#tally;
  }

  get books(): ReadonlyMap<string, Growth> {
    return this.#books;
  }

  async count(event: PlaybackEvent): Promise<void> {
    for (const span of this.#advance(event)) await this.#listen(event, span);
    if (event.finishes) await this.#finish(event);
    this.#tally = { ...this.#tally, seq: event.seq };
  }

  async write(): Promise<void> {
    const [side, user] = [this.#side, this.#user];
    await this.#tx.put(userTallies, { side, user }, this.#tally);
    for (const [date, day] of this.#days) await this.#tx.put(dayTallies, { side, user, date }, day);
    for (const [book, { after }] of this.#books) {
      await this.#tx.put(bookTallies, { side, user, book }, after);
    }
  }

  /**
   * Records the report as the newest of its device or, if a newer one has already arrived, as the device's last late
   * report. Returns the time listened since the previous report.
   */
  #advance(event: PlaybackEvent): readonly Span[] {
    const name = deviceKey(event.device_id ?? '-');
    const known = Object.hasOwn(this.#tally.devices, name) ? this.#tally.devices[name] : undefined;
    const point = pointOf(event);
    const isNewest = known === undefined || point.at >= known.newest.at;
    const before = isNewest ? known?.newest : known.late !== null && known.late.at <= point.at ? known.late : undefined;
    const span = event.listened_ms === undefined ? before && listenedSpan(before, event) : measuredSpan(event);
    const next = isNewest
      ? { seq: event.seq, newest: point, late: known?.late ?? null }
      : { ...known, seq: event.seq, late: point };
    this.#tally = { ...this.#tally, devices: withoutOldest({ ...this.#tally.devices, [name]: next }) };
    return span === undefined ? [] : [span];
  }

  async #listen(event: PlaybackEvent, span: Span): Promise<void> {
    let grown = 0;
    for (const [date, from, to] of byDay(span)) {
      const day = await this.#day(date);
      const spans = (Object.hasOwn(day.books, event.book_id) ? day.books[event.book_id] : undefined) ?? [];
      const united = unite(spans, [from, to]);
      grown += measure(united) - measure(spans);
      const books = { ...day.books, [event.book_id]: united.map(([start, end]): [number, number] => [start, end]) };
      const together = measureTogether(Object.values(books));
      this.#tally = { ...this.#tally, listen_ms: this.#tally.listen_ms + together - day.listen_ms };
      this.#days.set(date, { ...day, books, listen_ms: together });
    }
    if (grown > 0) await this.#grow(event, grown);
  }

  async #grow(event: PlaybackEvent, grown: number): Promise<void> {
    const { before, after } = await this.#book(event.book_id);
    const begun = event.cycle > after.cycle ? { ...after, cycle: event.cycle, cycle_ms: 0, played: false } : after;
    const heard = begun.cycle_ms + grown;
    const isPlay = !begun.played && heard >= Math.min(PLAY_MS, event.book_duration_ms * PLAY_SHARE);
    const next: BookTally = {
      ...begun,
      listen_ms: begun.listen_ms + grown,
      cycle_ms: heard,
      played: begun.played || isPlay,
      plays: begun.plays + (isPlay ? 1 : 0),
    };
    this.#books.set(event.book_id, { before, after: next });
    if (!isPlay) return;
    this.#tally = { ...this.#tally, plays: this.#tally.plays + 1 };
    const [date, at] = momentOf(event);
    const day = await this.#day(date);
    this.#days.set(date, { ...day, plays: [...day.plays, at] });
  }

  async #finish(event: PlaybackEvent): Promise<void> {
    const { before, after } = await this.#book(event.book_id);
    this.#books.set(event.book_id, { before, after: { ...after, finished: after.finished + 1 } });
    this.#tally = { ...this.#tally, finished: this.#tally.finished + 1 };
    const [date, at] = momentOf(event);
    const day = await this.#day(date);
    this.#days.set(date, { ...day, finished: [...day.finished, { book: event.book_id, at }] });
  }

  async #day(date: string): Promise<DayTally> {
    const known = this.#days.get(date);
    if (known !== undefined) return known;
    const key = { side: this.#side, user: this.#user, date };
    const found = (await this.#tx.get(dayTallies, key)) ?? EMPTY_DAY_TALLY;
    this.#days.set(date, found);
    return found;
  }

  async #book(book: string): Promise<Growth> {
    const known = this.#books.get(book);
    if (known !== undefined) return known;
    const key = { side: this.#side, user: this.#user, book };
    const found = (await this.#tx.get(bookTallies, key)) ?? EMPTY_BOOK_TALLY;
    const growth = { before: found, after: found };
    this.#books.set(book, growth);
    return growth;
  }
}

function momentOf({ occurred_at: time }: PlaybackEvent): readonly [date: string, at: number] {
  const date = time.slice(0, 'YYYY-MM-DD'.length);
  return [date, Date.parse(time) - Date.parse(date)];
}

/**
 * Schemas drop the key `__proto__`, so this function appends an underscore to it. Also appends one to `__proto___`,
 * `__proto____` and so on, so that two devices never get the same key.
 */
function deviceKey(device: string): string {
  return /^__proto___*$/u.test(device) ? `${device}_` : device;
}

function withoutOldest(devices: UserTally['devices']): UserTally['devices'] {
  const entries = Object.entries(devices);
  if (entries.length <= DEVICES_MAX) return devices;
  return Object.fromEntries(entries.toSorted(([, left], [, right]) => left.seq - right.seq).slice(-DEVICES_MAX));
}
