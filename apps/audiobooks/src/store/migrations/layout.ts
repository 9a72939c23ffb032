import { afterKey, type KeyspaceMigration, type RecordDefinition, type Transaction } from '@holdfast/keyspace';
import { normalizeText } from '../../model/normalize.ts';
import { toTime } from '../../model/stored.ts';
import { bookPosition, makeDurationMap, percentOf } from '../../model/timeline.ts';
import { countBooks, rememberNarrators, withDerived } from '../books.ts';
import {
  authors,
  books,
  durationMaps,
  operations,
  playbackEvents,
  playlistItems,
  playlists,
  progress,
  schema,
  segments,
  series,
  works,
} from '../definitions.ts';
import { activeSegments } from '../timelines.ts';
import { seedRecords } from './seed-layout.ts';

/**
 * Migrates the design document's layout to ours: gives data among books and operations its own prefixes, rebuilds the
 * indexes (escaped, multi-valued, in shelf order) and upgrades all values.
 *
 * The position is `phase|key`. Each phase pages through its keys and can be interrupted anywhere.
 */
export const changeLayout: KeyspaceMigration = {
  version: 3,
  description: 'own prefixes for maps and counters, and indexes that hold several records under one text',
  async step(tx, place = `${PHASES[0]}|`) {
    const bar = place.indexOf('|');
    const name = place.slice(0, bar) as Phase;
    const next = await run[name](tx, place.slice(bar + 1) || undefined);
    if (next !== undefined) return `${name}|${next}`;
    const following = PHASES[PHASES.indexOf(name) + 1];
    return following === undefined ? undefined : `${following}|`;
  },
};

const PAGE = 200;

const PHASES = [
  'order',
  'forget-indexes',
  'forget-order',
  'counters',
  'authors',
  'series',
  'works',
  'segments',
  'books',
  'playlists',
  'items',
  'events',
  'progress',
  'operations',
] as const;
type Phase = (typeof PHASES)[number];
type Run = (tx: Transaction, place: string | undefined) => Promise<string | undefined>;

const run: Readonly<Record<Phase, Run>> = {
  order: noteOrder,
  'forget-indexes': (tx, place) => forget(tx, 'idx:', 'idx;', place),
  'forget-order': (tx, place) => forget(tx, 'bfi:', 'bfi;', place),
  counters: moveCounters,
  authors: (tx, place) => rewrite(tx, authors, 'a:', place, timesOf('created_at')),
  series: (tx, place) => rewrite(tx, series, 's:', place, timesOf('created_at')),
  works: (tx, place) =>
    rewrite(tx, works, 'w:', place, (value) => ({
      ...timesOf('created_at', 'updated_at')(value),
      normalized_title: normalizeText(String(value['title'])),
    })),
  segments: (tx, place) => rewrite(tx, segments, 'bf:', place, timesOf('created_at', 'updated_at')),
  books: rewriteBooks,
  playlists: (tx, place) => rewrite(tx, playlists, 'pl:', place, timesOf('created_at', 'updated_at')),
  items: rewriteItems,
  events: rewriteEvents,
  progress: rewriteProgress,
  operations: (tx, place) => rewrite(tx, operations, 'op:', place, timesOf('started_at', 'completed_at')),
};

type Fix = (value: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;

/** Normalises times to UTC with milliseconds. */
function timesOf(...fields: readonly string[]): Fix {
  return (value) => {
    const times = fields.flatMap((field) =>
      typeof value[field] === 'string' ? [[field, toTime(value[field])] as const] : [],
    );
    return { ...value, ...Object.fromEntries(times) };
  };
}

/** Playing order is only in the keys, whose width the design document leaves open, so this counts entries. */
async function noteOrder(tx: Transaction, place: string | undefined): Promise<string | undefined> {
  const [from, lastBook = '', count = '0'] = (place ?? 'bfi:').split('\n');
  const entries = await tx.readRange({ gte: from ?? 'bfi:', lt: 'bfi;', limit: PAGE, reverse: false });
  let book = lastBook;
  let order = Number(count);
  for (const [key, segmentId] of entries) {
    const owner = key.split(':')[1] ?? '';
    order = owner === book ? order + 1 : 0;
    book = owner;
    const segmentKey = `bf:${String(segmentId)}`;
    const stored = await tx.readKey(segmentKey);
    if (typeof stored !== 'string') continue;
    const value = { ...(JSON.parse(stored) as object), track_number: order + 1 };
    tx.writeKey(segmentKey, JSON.stringify(value));
  }
  const last = entries.at(-1);
  return last === undefined || entries.length < PAGE ? undefined : [afterKey(last[0]), book, String(order)].join('\n');
}

async function forget(
  tx: Transaction,
  gte: string,
  lt: string,
  place: string | undefined,
): Promise<string | undefined> {
  const entries = await tx.readRange({ gte: place ?? gte, lt, limit: 1_000, reverse: false });
  for (const [key] of entries) tx.writeKey(key, undefined);
  const last = entries.at(-1);
  return last === undefined || entries.length < 1_000 ? undefined : afterKey(last[0]);
}

/** `op:<id>:next_seq` is the next number; ours is the last one assigned. Old duration maps are rebuilt. */
async function moveCounters(tx: Transaction): Promise<undefined> {
  const counters = await tx.readRange({ gte: 'op:', lt: 'op;', limit: 2 ** 30, reverse: false });
  for (const [key, stored] of counters) {
    const id = /^op:([0-9A-Z]{26}):next_seq$/.exec(key)?.[1];
    if (id === undefined) continue;
    tx.writeKey(key, undefined);
    const logs = await tx.readRange({ gte: `opl:${id}:`, lt: `opl:${id};`, limit: 2 ** 30, reverse: false });
    // Lookups would miss keys with another number width.
    for (const [logKey, log] of logs) {
      const value = JSON.parse(String(log)) as { readonly seq: number; readonly timestamp: string };
      tx.writeKey(logKey, undefined);
      const moved = { ...value, timestamp: toTime(value.timestamp) };
      tx.writeKey(schema.operationLogs.template.encode({ op: id, seq: value.seq }), JSON.stringify(moved));
    }
    tx.writeKey(`opseq:${id}`, String(Math.max(0, Number(stored) - 1)));
  }
  await forget(tx, 'b:duration_map:', 'b:duration_map;', undefined);
  return undefined;
}

async function rewrite(
  tx: Transaction,
  definition: RecordDefinition,
  prefix: string,
  place: string | undefined,
  fix: Fix,
): Promise<string | undefined> {
  const { records, next } = await seedRecords(tx, prefix, place, PAGE);
  for (const { key, id, value } of records) {
    // Remove the old form first: it has no entries in the new indexes to update.
    tx.writeKey(key, undefined);
    await tx.put(definition, { id }, definition.codec.decode(JSON.stringify(fix(value)), key));
  }
  return next;
}

async function rewriteBooks(tx: Transaction, place: string | undefined): Promise<string | undefined> {
  const { records, next } = await seedRecords(tx, 'b:', place, PAGE);
  for (const { key, id, value } of records) {
    const old = books.codec.decode(JSON.stringify(timesOf('created_at', 'updated_at')(value)), key);
    const active = await activeSegments(tx, id);
    const map = makeDurationMap(id, 1, active, 'header', old.updated_at);
    if (active.length > 0) await tx.put(durationMaps, { book_id: id, generation: 1 }, map);
    const book = withDerived({
      ...old,
      authors: await Promise.all(
        old.authors.map(async (author) => ({ ...author, name: await nameOf(tx, authors, author.id) })),
      ),
      series: await Promise.all(
        old.series.map(async (entry) => ({ ...entry, name: await nameOf(tx, series, entry.id) })),
      ),
      duration_ms: map.total_duration_ms,
      segment_count: active.length,
      size_bytes: active.reduce((sum, segment) => sum + segment.size_bytes, 0),
      generation: active.length > 0 ? 1 : 0,
      revision: 1,
    });
    tx.writeKey(key, undefined);
    await rememberNarrators(tx, book.narrators, book.created_at);
    countBooks(tx, undefined, book);
    await tx.put(books, { id }, book);
  }
  return next;
}

async function nameOf(tx: Transaction, definition: typeof authors | typeof series, id: string): Promise<string> {
  const found = await tx.get(definition as RecordDefinition<'a:{id}', { readonly name: string }>, { id });
  return found?.name ?? 'Unknown';
}

async function rewriteItems(tx: Transaction, place: string | undefined): Promise<string | undefined> {
  const entries = await tx.readRange({ gte: place ?? 'pli:', lt: 'pli;', limit: PAGE, reverse: false });
  for (const [key, stored] of entries) {
    const [, playlist = '', position = '0'] = key.split(':');
    tx.writeKey(key, undefined);
    const owner = await tx.get(playlists, { id: playlist });
    const item = { book_id: String(stored), added_at: owner?.updated_at ?? toTime(0), version: 1 } as const;
    await tx.put(playlistItems, { playlist, position: Number(position) }, item);
  }
  const last = entries.at(-1);
  return last === undefined || entries.length < PAGE ? undefined : afterKey(last[0]);
}

async function rewriteEvents(tx: Transaction, place: string | undefined): Promise<string | undefined> {
  const entries = await tx.readRange({ gte: place ?? 'playe:', lt: 'playe;', limit: PAGE, reverse: false });
  for (const [key, stored] of entries) {
    const [, user_id = '', book_id = '', id = ''] = key.split(':');
    const old = JSON.parse(String(stored)) as { segment_id: string; position_seconds: number; created_at: string };
    const at = toTime(old.created_at);
    const map = await tx.get(durationMaps, { book_id, generation: 1 });
    const positionMs = Math.round(old.position_seconds * 1_000);
    const found = map === undefined ? undefined : bookPosition(map, { segmentId: old.segment_id, positionMs });
    tx.writeKey(key, undefined);
    await tx.put(
      playbackEvents,
      { user_id, book_id, id },
      playbackEvents.codec.decode(
        JSON.stringify({
          client_event_id: null,
          device_id: null,
          ...old,
          id,
          book_position_ms: found ?? positionMs,
          generation: map === undefined ? 0 : 1,
          occurred_at: at,
          created_at: at,
        }),
        key,
      ),
    );
  }
  const last = entries.at(-1);
  return last === undefined || entries.length < PAGE ? undefined : afterKey(last[0]);
}

async function rewriteProgress(tx: Transaction, place: string | undefined): Promise<string | undefined> {
  const entries = await tx.readRange({ gte: place ?? 'playp:', lt: 'playp;', limit: PAGE, reverse: false });
  for (const [key, stored] of entries) {
    const raw = JSON.parse(String(stored)) as Readonly<Record<string, unknown>>;
    const old = progress.codec.decode(JSON.stringify(timesOf('updated_at')(raw)), key);
    const map = await tx.get(durationMaps, { book_id: old.book_id, generation: 1 });
    const positionMs = Math.round(old.position_seconds * 1_000);
    const found = map === undefined ? undefined : bookPosition(map, { segmentId: old.segment_id, positionMs });
    const position = found ?? old.book_position_ms;
    tx.writeKey(key, undefined);
    await tx.put(
      progress,
      { user_id: old.user_id, book_id: old.book_id },
      {
        ...old,
        book_position_ms: position,
        generation: map === undefined ? 0 : 1,
        percent_complete: percentOf(position, map?.total_duration_ms ?? 0),
      },
    );
  }
  const last = entries.at(-1);
  return last === undefined || entries.length < PAGE ? undefined : afterKey(last[0]);
}
