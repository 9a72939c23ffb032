import { booksApi } from '../../api/clients.ts';
import { reportSignedOut } from '../../api/query-client.ts';
import type { Progress } from '../../api/types.ts';
import { statusOf } from '../../lib/error-reason.ts';
import { retryDelay } from '../model/progress.ts';
import type { Trouble } from '../model/view.ts';
import { playerState } from '../state.ts';
import type { Player } from './player.ts';

export const connectionLost: Trouble = {
  kind: 'connection',
  title: 'Connection lost',
  hint: 'Playback continues at the same position when the server responds.',
};
export const autoplayBlocked: Trouble = {
  kind: 'blocked',
  title: 'The browser blocked playback',
  hint: 'Press play again.',
};
export const bookMissing: Trouble = {
  kind: 'gone',
  title: 'This book no longer exists',
  hint: 'Choose another book in the library.',
};
const fileMissing: Trouble = {
  kind: 'gone',
  title: 'This file is missing',
  hint: 'It was moved or deleted outside Holdfast. Scan the library, then play again.',
};

function unplayable(format: string): Trouble {
  const what = format === '' ? 'this format' : `${format} files`;
  return {
    kind: 'format',
    title: 'This browser cannot play the file',
    hint: `It does not support ${what}, or the file is damaged. Try another browser, or merge the book into an m4b file.`,
  };
}

type FileState = 'there' | 'unreachable' | 'missing' | 'signed out';

/** The audio element does not say why it failed, so this requests one byte of the file. */
async function probe(url: string): Promise<FileState> {
  try {
    const response = await fetch(url, { headers: { range: 'bytes=0-0' }, cache: 'no-store' });
    await response.body?.cancel();
    if (response.ok) return 'there';
    if (response.status === 401) return 'signed out';
    return response.status >= 500 || response.status === 429 ? 'unreachable' : 'missing';
  } catch {
    return 'unreachable';
  }
}

/** Finds out why playback failed, and resumes at the same position as soon as possible. */
export class Recovery {
  readonly #player: Player;
  #isRunning = false;
  /** The file that was reloaded after a failure. If it exists and fails again, it cannot be played. */
  #reloadedUrl: string | undefined;

  constructor(player: Player) {
    this.#player = player;
  }

  async run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      for (let failures = 0; ; failures += 1) {
        const view = playerState.get();
        const segment = view?.timeline?.segments[view.loaded ?? -1];
        if (view === undefined || segment === undefined) return;
        const state = await probe(segment.url);
        if (playerState.get()?.book.id !== view.book.id) return;
        if (state === 'signed out') return reportSignedOut();
        if (state === 'there') return this.#reload(segment.url, segment.format);
        if (state === 'missing') return await this.switchFiles(view.book.id);
        this.#player.dispatch({ type: 'failed', trouble: connectionLost, isFinal: false });
        await untilOnline(retryDelay(failures));
      }
    } finally {
      this.#isRunning = false;
    }
  }

  /** Called when playback works again, so that the next failure counts as a new one. */
  succeeded(): void {
    this.#reloadedUrl = undefined;
  }

  #reload(url: string, format: string): void {
    if (this.#reloadedUrl === url) {
      this.#reloadedUrl = undefined;
      return this.#player.dispatch({ type: 'failed', trouble: unplayable(format), isFinal: true });
    }
    this.#reloadedUrl = url;
    this.#player.deck.unload();
    return this.#player.dispatch({ type: 'reload' });
  }

  /**
   * Loads the new files after a book was merged, moved or replaced. The server converts reported positions to the new
   * files.
   */
  async switchFiles(bookId: string): Promise<void> {
    const { outbox } = this.#player;
    const fail = (): void => this.#player.dispatch({ type: 'failed', trouble: fileMissing, isFinal: true });
    try {
      this.#player.dispatch({ type: 'reportNow' });
      const reportedMs = playerState.get()?.positionMs ?? 0;
      await outbox.flush();
      const { book: timeline, progress } = await readBook(bookId);
      const view = playerState.get();
      if (view?.book.id !== bookId || view.timeline === undefined) return;
      if (timeline.generation === view.timeline.generation) return fail();
      const isMapped = outbox.newestUnsent(bookId) === undefined && progress?.generation === timeline.generation;
      // Adds the time played since the report.
      const positionMs = isMapped ? progress.position_ms + view.positionMs - reportedMs : view.positionMs;
      this.#player.dispatch({ type: 'filesReplaced', timeline, positionMs });
    } catch (error) {
      if (statusOf(error) === 404) fail();
      else setTimeout(() => void this.run(), retryDelay(1));
    }
  }
}

function untilOnline(ms: number): Promise<void> {
  return new Promise((done) => {
    const finish = (): void => {
      clearTimeout(timer);
      window.removeEventListener('online', finish);
      done();
    };
    const timer = setTimeout(finish, ms);
    window.addEventListener('online', finish);
  });
}

export async function readBook(id: string) {
  const details = booksApi.GET('/books/{book}', { params: { book: id } });
  // Playback works without preferences.
  const preferences = booksApi.GET('/preferences').catch(() => undefined);
  const [book, progress, stored] = await Promise.all([details, readProgress(id), preferences]);
  return { book: book.data, progress, preferences: stored?.data };
}

/** Returns undefined for a book that was never played. */
export async function readProgress(book: string, signal?: AbortSignal): Promise<Progress | undefined> {
  const input = { params: { book }, ...(signal === undefined ? {} : { signal }) };
  return (await booksApi.GET('/progress/{book}', input)).data ?? undefined;
}
