import { reportSignedOut } from '../../api/query-client.ts';
import { statusOf } from '../../lib/reason.ts';
import { waitAfter } from '../model/outbox.ts';
import type { Trouble } from '../model/view.ts';
import { playerState } from '../state.ts';
import { happen, wired } from './core.ts';
import { readBook } from './read-book.ts';

export const lost: Trouble = {
  kind: 'connection',
  title: 'The connection is lost',
  hint: 'It goes on by itself, at the same place.',
};
const gone: Trouble = {
  kind: 'gone',
  title: 'This file is not there',
  hint: 'It was moved or deleted outside of Holdfast. Scan the library, then play again.',
};

function unplayable(format: string): Trouble {
  return {
    kind: 'format',
    title: 'This browser cannot play this file',
    hint: `It is ${format === '' ? 'in a format' : `a ${format} file`} that the browser does not know, or it is damaged. Try another browser, or merge the book to an m4b.`,
  };
}

type Answer = 'there' | 'lost' | 'gone' | 'signed out';

/** The audio element does not say why it failed. One byte of the file tells. */
async function ask(url: string): Promise<Answer> {
  try {
    const response = await fetch(url, { headers: { range: 'bytes=0-0' }, cache: 'no-store' });
    await response.body?.cancel();
    if (response.ok) return 'there';
    if (response.status === 401) return 'signed out';
    return response.status >= 500 || response.status === 429 ? 'lost' : 'gone';
  } catch {
    return 'lost';
  }
}

let isRecovering = false;
/** A file that is there, was loaded again, and failed again cannot be played. */
let triedAgain: string | undefined;

/** The sound broke off: find out why, and go on at the same place as soon as that is possible. */
export async function recover(): Promise<void> {
  if (isRecovering) return;
  isRecovering = true;
  try {
    for (let failures = 0; ; failures += 1) {
      const view = playerState.get();
      const segment = view?.timeline?.segments[view.loaded ?? -1];
      if (view === undefined || segment === undefined || wired() === undefined) return;
      const answer = await ask(segment.url);
      if (playerState.get()?.book.id !== view.book.id) return;
      if (answer === 'signed out') return reportSignedOut();
      if (answer === 'there') return goOn(segment.url, segment.format);
      if (answer === 'gone') return await goOnWithNewFiles(view.book.id);
      happen({ is: 'broken', trouble: lost, isOver: false });
      await untilOnline(waitAfter(failures));
    }
  } finally {
    isRecovering = false;
  }
}

/** It sounds again: the next failure is another one. */
export function recovered(): void {
  triedAgain = undefined;
}

function goOn(url: string, format: string): void {
  if (triedAgain === url) {
    triedAgain = undefined;
    return happen({ is: 'broken', trouble: unplayable(format), isOver: true });
  }
  triedAgain = url;
  wired()?.deck.unload();
  return happen({ is: 'retried' });
}

/** Merged, moved or replaced while it was played. The server carries the place that it is told to the new files. */
export async function goOnWithNewFiles(bookId: string): Promise<void> {
  try {
    happen({ is: 'told' });
    const toldMs = playerState.get()?.positionMs ?? 0;
    await wired()?.outbox.flush();
    const { timeline, progress } = await readBook(bookId);
    const view = playerState.get();
    if (view?.book.id !== bookId || view.timeline === undefined) return;
    const isNew = timeline.generation !== view.timeline.generation;
    if (!isNew) return happen({ is: 'broken', trouble: gone, isOver: true });
    const wasTold = wired()?.outbox.unsent(bookId) === undefined && progress?.generation === timeline.generation;
    // The sound went on since it was told.
    const carriedMs = wasTold ? progress.position_ms + view.positionMs - toldMs : view.positionMs;
    happen({ is: 'replaced', timeline, positionMs: carriedMs });
  } catch (error) {
    if (statusOf(error) === 404) happen({ is: 'broken', trouble: gone, isOver: true });
    else setTimeout(() => void recover(), waitAfter(1));
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
