import type { Progress } from '../api/types.ts';
import { readStored } from '../lib/storage.ts';
import type { PlayableBook } from './book.ts';
import { playerState } from './state.ts';

/**
 * How pages use the player. Only this comes with the first load: everything that makes sound is loaded when something
 * is played, or when there is a book to go on with.
 */

const engine = () => import('./engine/engine.ts');

/** Plays a book: at a place of the whole book, else where its listener left off on whichever device. */
export function playBook(book: PlayableBook, atMs?: number): void {
  void engine().then(({ playHere }) => playHere(book, atMs));
}

/** Pauses what plays, and goes on with what is paused. */
export function togglePlay(): void {
  void engine().then(({ toggle }) => toggle());
}

/** Books for later: they are played one after the other when the present one ends. */
export function playNext(books: readonly PlayableBook[]): void {
  void engine().then(({ append }) => append(books));
}

/** Plays the first of them, and the others after it. */
export function playAll(books: readonly PlayableBook[]): void {
  void engine().then(({ playList }) => playList(books));
}

/** What the stream of books tells of the places of this user, on whichever device. */
export function tellPlayer(progress: Progress): void {
  if (playerState.get()?.book.id === progress.book_id) void engine().then(({ heardOf }) => heardOf(progress));
}

/** The book that was listened to last in this browser, paused. */
export function restorePlayer(): void {
  if (readStored('holdfast.player.last') !== null) void engine().then(({ restore }) => restore());
}

/** Whoever listened is signing out. What was heard is told before they are gone. */
export async function putPlayerAway(): Promise<void> {
  if (playerState.get() !== undefined) await (await engine()).putAway();
}
