import { toTime } from '../../model/stored.ts';
import { schema } from '../../store/definitions.ts';
import type { Audiobooks } from '../audiobooks.ts';

/** First line of an export. */
export const EXPORT_HEADER = { format: 'holdfast-audiobooks', version: 1 } as const;

/** In import order: referenced records come first. */
export const EXPORTED = [
  'libraries',
  'authors',
  'narrators',
  'series',
  'works',
  'books',
  'segments',
  'fileFacts',
  'durationMaps',
  'assets',
  'history',
  'playlists',
  'playlistItems',
  'progress',
  'bookmarks',
  'playbackEvents',
] as const satisfies readonly (keyof typeof schema)[];

const COUNTERS = ['bookPlays', 'bookListenSeconds', 'userListenSeconds', 'workPlays', 'workListenSeconds'] as const;

const PAGE = 500;

/** Exports a snapshot as JSON lines, holding one page in memory at a time. */
export async function* exportLibrary({ store, now }: Audiobooks): AsyncGenerator<string, void, undefined> {
  const snapshot = await store.engine.snapshot();
  try {
    yield JSON.stringify({ ...EXPORT_HEADER, exported_at: toTime(now()), revision: snapshot.revision });
    for (const type of [...EXPORTED, ...COUNTERS]) {
      const { template } = schema[type];
      let { gte } = template.range({});
      const { lt } = template.range({});
      for (;;) {
        const entries = await snapshot.range({ gte, lt, limit: PAGE, reverse: false });
        for (const [key, stored] of entries) {
          if (template.matches(key)) yield JSON.stringify({ type, key, value: JSON.parse(String(stored)) as unknown });
        }
        const last = entries.at(-1);
        if (last === undefined || entries.length < PAGE) break;
        gte = `${last[0]}\u0001`;
      }
    }
  } finally {
    snapshot.release();
  }
}
