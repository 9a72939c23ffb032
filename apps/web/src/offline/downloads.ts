import type { Book, BookRow } from '../api/types.ts';
import { createStore } from '../lib/store.ts';
import { BOOKS_CACHE, DOWNLOADS_PATH } from './names.ts';

/** Audiobooks that this device keeps, so that they play without the server. */

/** Written after all files, so that a book with this record is complete. */
interface Download {
  readonly book: BookRow;
  /** URLs of all cached answers of the book. */
  readonly urls: readonly string[];
}

interface Downloads {
  readonly ready: ReadonlyMap<string, Download>;
  /** Running downloads: the fraction of bytes that have arrived, from 0 to 1. */
  readonly running: ReadonlyMap<string, number>;
}

export const downloads = createStore<Downloads>({ ready: new Map(), running: new Map() });

/** Returns whether this browser can store books. Browsers allow that only over HTTPS or on the server's own machine. */
export function canDownload(): boolean {
  return 'caches' in globalThis && 'serviceWorker' in navigator;
}

const aborts = new Map<string, AbortController>();
const LOCK = 'holdfast.downloads';
const COVER_SIZES = [96, 256, 512] as const;

/** Finds out which books are complete. Deletes the files of downloads that were interrupted. */
export async function readDownloads(): Promise<void> {
  if (!canDownload()) return;
  const cache = await caches.open(BOOKS_CACHE);
  const keys = (await cache.keys()).map(({ url }) => url);
  const ready = new Map<string, Download>();
  for (const key of keys.filter((url) => new URL(url).pathname.startsWith(DOWNLOADS_PATH))) {
    const found = (await (await cache.match(key))?.json()) as Download | undefined;
    if (found !== undefined) ready.set(found.book.id, found);
  }
  downloads.set({ ...downloads.get(), ready });
  const known = new Set([...ready.values()].flatMap(({ book, urls }) => [recordUrl(book.id), ...urls]).map(absolute));
  await navigator.locks.request(LOCK, { ifAvailable: true }, async (lock) => {
    // Another tab is downloading a book, whose files have no record yet.
    if (lock === null) return;
    await Promise.all(keys.filter((url) => !known.has(url)).map((url) => cache.delete(url)));
  });
}

/**
 * Downloads a book. Throws a `QuotaExceededError` if the device has no room. If cancelled, returns without storing the
 * book.
 */
export async function downloadBook(book: Book): Promise<void> {
  const abort = new AbortController();
  aborts.set(book.id, abort);
  setRunning(book.id, 0);
  try {
    // Without persistent storage, the browser may delete the book when the device is short of space.
    await navigator.storage.persist();
    await navigator.serviceWorker.ready;
    await navigator.locks.request(LOCK, { mode: 'shared', signal: abort.signal }, () => store(book, abort.signal));
  } catch (error) {
    await deleteDownload(book.id, urlsOf(book));
    if (!abort.signal.aborted) throw error;
  } finally {
    aborts.delete(book.id);
    setRunning(book.id, undefined);
    await readDownloads();
  }
}

export function cancelDownload(id: string): void {
  aborts.get(id)?.abort();
}

export async function removeDownload(id: string): Promise<void> {
  await deleteDownload(id, downloads.get().ready.get(id)?.urls ?? []);
  await readDownloads();
}

/**
 * Returns whether the downloaded files are still the files on the server. A merge or a move replaces the files on the
 * server.
 */
export function isCurrent(book: Book, { urls }: Download): boolean {
  return book.segments.every(({ url }) => urls.includes(url));
}

async function store(book: Book, signal: AbortSignal): Promise<void> {
  const cache = await caches.open(BOOKS_CACHE);
  const total = Math.max(1, book.size_bytes);
  let arrived = 0;
  for (const url of urlsOf(book)) {
    const response = await fetch(url, { signal });
    if (!response.ok) throw new TypeError(`The server answered ${response.status}`);
    const counted = response.body?.pipeThrough(
      new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
        transform(chunk, controller) {
          arrived += chunk.byteLength;
          setRunning(book.id, Math.min(1, arrived / total));
          controller.enqueue(chunk);
        },
      }),
    );
    await cache.put(url, new Response(counted ?? null, { headers: response.headers }));
  }
  const record: Download = { book, urls: urlsOf(book) };
  await cache.put(recordUrl(book.id), new Response(JSON.stringify(record)));
}

/** The audio files, the covers and the details: everything that the book's page and the player need. */
function urlsOf({ id, cover, segments }: Book): readonly string[] {
  return [
    `/api/audiobooks/books/${id}`,
    `/api/audiobooks/progress/${id}`,
    ...(cover === null ? [] : COVER_SIZES.map((size) => `${cover}&size=${size}`)),
    ...segments.map(({ url }) => url),
  ];
}

async function deleteDownload(id: string, urls: readonly string[]): Promise<void> {
  const cache = await caches.open(BOOKS_CACHE);
  for (const url of [recordUrl(id), ...urls]) await cache.delete(url);
}

function setRunning(id: string, part: number | undefined): void {
  const running = new Map(downloads.get().running);
  if (part === undefined) running.delete(id);
  else running.set(id, part);
  downloads.set({ ...downloads.get(), running });
}

function recordUrl(id: string): string {
  return DOWNLOADS_PATH + id;
}

function absolute(url: string): string {
  return new URL(url, location.origin).href;
}
