import { sqliteEngine } from '@holdfast/keyspace';

/**
 * A library as the seed's version 1.0 would have written it: before works, with maps and counters among the records, one
 * entry per name in the indexes, and text in keys as it is.
 */
export const seed = {
  author: '01HAAAAAAAAAAAAAAAAAAAAAAA',
  series: '01HBBBBBBBBBBBBBBBBBBBBBBB',
  dune: '01HC0000000000000000000001',
  duneAgain: '01HC0000000000000000000002',
  orphan: '01HC0000000000000000000003',
  orphanTwin: '01HC0000000000000000000004',
  user: '01HDDDDDDDDDDDDDDDDDDDDDDD',
  playlist: '01HEEEEEEEEEEEEEEEEEEEEEEE',
  operation: '01HFFFFFFFFFFFFFFFFFFFFFFF',
  event: '01HGGGGGGGGGGGGGGGGGGGGGGG',
  segment: (number: number) => `01HH00000000000000000000${String(number).padStart(2, '0')}`,
} as const;

const AT = '2026-01-19T10:00:00+01:00';

function book(id: string, title: string, changes: Readonly<Record<string, unknown>> = {}) {
  return {
    id,
    title,
    normalized_title: title.toLowerCase(),
    author_id: null,
    series_id: null,
    series_position: null,
    description: '',
    published_year: 0,
    cover_asset_id: null,
    tags: [],
    created_at: AT,
    updated_at: AT,
    version: 1,
    ...changes,
  };
}

function segment(number: number, bookId: string, changes: Readonly<Record<string, unknown>> = {}) {
  return {
    id: seed.segment(number),
    book_id: bookId,
    file_path: `/books/${number}.mp3`,
    format: 'mp3',
    size_bytes: 100,
    duration_seconds: 60.5,
    hash_sha256: null,
    track_number: null,
    total_tracks: null,
    active: true,
    superseded_by: null,
    created_at: AT,
    updated_at: AT,
    version: 1,
    ...changes,
  };
}

function seedEntries(): ReadonlyMap<string, string> {
  const { author, series, dune, duneAgain, orphan, orphanTwin, user, playlist, operation } = seed;
  const json = (value: unknown): string => JSON.stringify(value);
  const inSeries = { author_id: author, series_id: series, series_position: 1, tags: ['SF'] };
  const entries: Record<string, string> = {
    'meta:version': '1',
    [`a:${author}`]: json({
      id: author,
      name: 'Frank Herbert',
      normalized_name: 'frank herbert',
      created_at: AT,
      version: 1,
    }),
    'idx:author:name:frank herbert': author,
    [`s:${series}`]: json({
      id: series,
      name: 'Dune: Saga',
      normalized_name: 'dune: saga',
      author_id: author,
      created_at: AT,
      version: 1,
    }),
    'idx:series:name:dune: saga': series,
    [`idx:series:author:${author}:${series}`]: '1',
    [`b:${dune}`]: json(book(dune, 'Dune', { ...inSeries, narrator: 'A; B', isbn10: '080442957x', isbn13: null })),
    [`b:${duneAgain}`]: json(book(duneAgain, 'DUNE', { author_id: author })),
    [`b:${orphan}`]: json(book(orphan, 'Best of: All')),
    [`b:${orphanTwin}`]: json(book(orphanTwin, 'Best of: All')),
    [`idx:book:author:${author}:${dune}`]: '1',
    [`idx:book:series:${series}:00001:${dune}`]: '1',
    [`idx:book:title:dune:${dune}`]: '1',
    [`idx:book:title:best of: all:${orphan}`]: '1',
    [`idx:book:tag:sf:${dune}`]: '1',
    [`b:duration_map:${dune}`]: json({ segments: [], total_duration: 121, version: 1 }),
    [`pl:${playlist}`]: json({
      id: playlist,
      name: 'Later',
      user_id: user,
      created_at: AT,
      updated_at: AT,
      version: 1,
    }),
    [`idx:playlist:user:${user}:${playlist}`]: '1',
    [`pli:${playlist}:001`]: dune,
    [`playp:${user}:${dune}`]: json({
      user_id: user,
      book_id: dune,
      segment_id: seed.segment(1),
      position_seconds: 10,
      percent_complete: 0.6,
      updated_at: AT,
      version: 1,
    }),
    [`playe:${user}:${dune}:${seed.event}`]: json({
      user_id: user,
      book_id: dune,
      segment_id: seed.segment(1),
      position_seconds: 10,
      event_type: 'progress',
      play_speed: 1,
      created_at: AT,
      version: 1,
    }),
    [`stats:book:plays:${dune}`]: '3',
    [`stats:book:plays:${duneAgain}`]: '4',
    [`stats:book:listen_seconds:${dune}`]: '100',
    [`op:${operation}`]: json({
      id: operation,
      type: 'scan',
      status: 'completed',
      started_at: AT,
      completed_at: AT,
      error: null,
      progress: { current: 1, total: 1 },
      created_by: 'system',
      version: 1,
    }),
    [`op:${operation}:next_seq`]: '3',
  };
  for (const seq of [1, 2]) {
    const log = { seq, timestamp: AT, level: 'info', message: `line ${seq}`, version: 1 };
    entries[`opl:${operation}:${String(seq).padStart(4, '0')}`] = json(log);
  }
  // The second file by its id is the first one in the order of play.
  for (const number of [1, 2]) entries[`bf:${seed.segment(number)}`] = json(segment(number, dune));
  entries[`bfi:${dune}:0001`] = seed.segment(2);
  entries[`bfi:${dune}:0002`] = seed.segment(1);
  return new Map(Object.entries(entries));
}

export async function writeSeedDatabase(path: string, more: ReadonlyMap<string, string> = new Map()): Promise<void> {
  const engine = await sqliteEngine({ path });
  const writes = new Map<string, string | undefined>([...seedEntries(), ...more]);
  await engine.commit({ base: undefined, reads: new Map(), ranges: [], writes, appends: [], additions: [] });
  await engine.close();
}
