import { booksApi } from '../../api/clients.ts';
import type { Book, Preferences, Progress } from '../../api/types.ts';
import type { Timeline } from '../model/timeline.ts';

export interface Opened {
  readonly book: Book;
  readonly timeline: Timeline;
  readonly progress: Progress | undefined;
  readonly preferences: Preferences | undefined;
}

export async function readBook(id: string): Promise<Opened> {
  const [book, progress, preferences] = await Promise.all([readDetails(id), readProgress(id), readPreferences()]);
  return { book, timeline: timelineOf(book), progress, preferences };
}

async function readDetails(id: string): Promise<Book> {
  return (await booksApi.GET('/books/{book}', { params: { book: id } })).data;
}

/** Undefined for a book that was never played. */
export async function readProgress(book: string, signal?: AbortSignal): Promise<Progress | undefined> {
  const input = { params: { book }, ...(signal === undefined ? {} : { signal }) };
  return (await booksApi.GET('/progress/{book}', input)).data ?? undefined;
}

/** Playback works without preferences. */
async function readPreferences(): Promise<Preferences | undefined> {
  try {
    return (await booksApi.GET('/preferences')).data;
  } catch {
    return undefined;
  }
}

function timelineOf({ generation, duration_ms: duration, segments, chapters }: Book): Timeline {
  return { generation, duration_ms: duration, segments, chapters };
}
