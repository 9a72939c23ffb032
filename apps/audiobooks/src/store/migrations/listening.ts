import {
  afterKey,
  type Entry,
  type KeyspaceMigration,
  type RecordDefinition,
  type Transaction,
} from '@holdfast/keyspace';
import { EMPTY_BOOK_TALLY, EMPTY_USER_TALLY, SIDES } from '../../model/tally.ts';
import {
  bookListenSeconds,
  bookmarks,
  bookPlays,
  bookTallies,
  eventNumbers,
  NONE,
  playbackEvents,
  playlists,
  progress,
  userListenSeconds,
  userTallies,
} from '../definitions.ts';
import { writeEvent } from '../listening.ts';

/**
 * Numbers events, and adds missing indexes to progress, bookmarks and playlists. Keeps existing counts as `kept` totals
 * and excludes the old events, so recounting gives the same result.
 */
export const numberEvents: KeyspaceMigration = {
  version: 5,
  description: 'numbered playback events, and what statistics are made of',
  async step(tx, place = `${PHASES[0]}|`) {
    const bar = place.indexOf('|');
    const phase = place.slice(0, bar) as Phase;
    const next = await run[phase](tx, place.slice(bar + 1) || undefined);
    if (next !== undefined) return `${phase}|${next}`;
    const following = PHASES[PHASES.indexOf(phase) + 1];
    return following === undefined ? undefined : `${following}|`;
  },
};

const PAGE = 200;
const PHASES = [
  'index',
  'client',
  'recent',
  'events',
  'progress',
  'bookmarks',
  'playlists',
  'users',
  'plays',
  'seconds',
] as const;
type Phase = (typeof PHASES)[number];
type Step = (tx: Transaction, place: string | undefined) => Promise<string | undefined>;

/** Visits one page of the keys with this prefix. */
function through(prefix: string, visit: (tx: Transaction, entry: Entry) => Promise<void>): Step {
  return async (tx, place) => {
    const range = { gte: place ?? `${prefix}:`, lt: `${prefix};`, limit: PAGE, reverse: false };
    const entries = await tx.readRange(range);
    for (const entry of entries) await visit(tx, entry);
    const last = entries.at(-1);
    return last === undefined || entries.length < PAGE ? undefined : afterKey(last[0]);
  };
}

/** Writing an unchanged record adds its missing index entries and upgrades its version. */
function again<Source extends string, Value>(definition: RecordDefinition<Source, Value>): Step {
  return through(definition.source.split(':')[0] ?? '', async (tx, [key, stored]) => {
    const fields = definition.template.decode(key);
    if (fields !== undefined) await tx.put(definition, fields as never, definition.codec.decode(stored, key));
  });
}

const run: Readonly<Record<Phase, Step>> = {
  index: through('idx:playe:user', async (tx, [key]) => tx.writeKey(key, undefined)),
  client: through('idx:playe:client', async (tx, [key]) => tx.writeKey(key, undefined)),
  recent: through('idx:playp:recent', async (tx, [key]) => tx.writeKey(key, undefined)),
  events: through('playe', numberEvent),
  progress: again(progress),
  bookmarks: again(bookmarks),
  playlists: again(playlists),
  users: through('stats:user:listen_seconds', async (tx, [key, stored]) => {
    const user = userListenSeconds.template.decode(key)?.['user'];
    if (typeof user === 'string') await tallyUser(tx, user, { listen_ms: Number(stored) * 1_000 });
  }),
  plays: through('stats:book:plays', async (tx, [key, stored]) => {
    const book = bookPlays.template.decode(key)?.['book'];
    if (typeof book === 'string') await tallyBook(tx, book, { plays: Number(stored) });
  }),
  seconds: through('stats:book:listen_seconds', async (tx, [key, stored]) => {
    const book = bookListenSeconds.template.decode(key)?.['book'];
    if (typeof book === 'string') await tallyBook(tx, book, { listen_ms: Number(stored) * 1_000 });
  }),
};

async function numberEvent(tx: Transaction, [key, stored]: Entry): Promise<void> {
  const event = playbackEvents.codec.decode(stored, key);
  if (event.seq > 0) return;
  const tally = await tx.get(userTallies, { side: 'now', user: event.user_id });
  const seq = (tally?.seq ?? 0) + 1;
  tx.writeKey(key, undefined);
  await writeEvent(tx, { ...event, seq });
  tx.add(eventNumbers, { user: event.user_id }, 1);
  await tallyUser(tx, event.user_id, { seq });
}

async function tallyUser(
  tx: Transaction,
  user: string,
  change: { readonly seq?: number; readonly listen_ms?: number },
): Promise<void> {
  for (const side of SIDES) {
    const tally = (await tx.get(userTallies, { side, user })) ?? EMPTY_USER_TALLY;
    await tx.put(userTallies, { side, user }, { ...tally, ...change });
  }
}

/** The design document's counters do not record the user. */
async function tallyBook(
  tx: Transaction,
  book: string,
  change: { readonly plays?: number; readonly listen_ms?: number },
): Promise<void> {
  for (const side of SIDES) {
    const key = { side, user: NONE, book };
    const tally = (await tx.get(bookTallies, key)) ?? EMPTY_BOOK_TALLY;
    await tx.put(bookTallies, key, { ...tally, ...change });
  }
}
