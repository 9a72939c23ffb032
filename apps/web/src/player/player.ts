import { meQuery } from '../api/queries.ts';
import { queryClient } from '../api/query-client.ts';
import type { BookRow, Me, Progress } from '../api/types.ts';
import { loadPart } from '../lib/lazy-part.ts';
import { readStored, storedKeys } from '../lib/storage.ts';
import type { Player } from './engine/player.ts';
import type { PlayableBook, PlayerView } from './model/view.ts';
import { playerState } from './state.ts';

/**
 * Interface between pages and the player. Of the player, the initial bundle contains only this file. The engine is
 * loaded when something is played, or when there is a book to resume.
 */

function userId(): string | undefined {
  return queryClient.getQueryData<Me>(meQuery.queryKey)?.user.id;
}

async function withPlayer(act: (player: Player) => unknown): Promise<void> {
  const { playerOf } = await loadPart(() => import('./engine/player.ts'));
  const player = playerOf(userId());
  if (player !== undefined) await act(player);
}

/** Plays a book from `atMs`, or from the listener's last position on any device. */
export function playBook(book: PlayableBook, atMs?: number): void {
  void withPlayer((player) => player.play(book, atMs));
}

/** Returns the status of the player if it has this book open. */
export function playbackStatus(bookId: string): PlayerView['status'] | undefined {
  const view = playerState.get();
  return view?.book.id === bookId ? view.status : undefined;
}

/** Calls `listener` whenever the player changes; returns an unsubscribe function. */
export const onPlayback = playerState.subscribe;

/**
 * Returns the position in a book: the player's position if it has the book open; if not, the last reported position.
 */
export function currentPosition({ id, progress }: Pick<BookRow, 'id' | 'progress'>): number {
  const view = playerState.get();
  return view?.book.id === id && view.timeline !== undefined ? view.positionMs : (progress?.position_ms ?? 0);
}

export function togglePlay(): void {
  void withPlayer((player) => player.toggle());
}

export function playNext(books: readonly PlayableBook[]): void {
  void withPlayer((player) => player.append(books));
}

export function playAll(books: readonly PlayableBook[]): void {
  void withPlayer((player) => player.playAll(books));
}

/** Passes on progress from the event stream, which any device of this user may have reported. */
export function notifyPlayer(progress: Progress): void {
  if (playerState.get()?.book.id === progress.book_id) void withPlayer((player) => player.progressElsewhere(progress));
}

/**
 * Opens the book that this browser played last, without playing it. Sends listening reports that the server does not
 * have.
 */
export async function restorePlayer(): Promise<void> {
  const hasBook = readStored('holdfast.player.last') !== null;
  const hasReports = storedKeys(`holdfast.player.event.${userId() ?? ''}`).length > 0;
  if (hasBook || hasReports) await (await import('./engine/player.ts')).restoreLast(userId());
}

/** Reports the last position and closes the player. Called before the user signs out. */
export async function closePlayerBeforeSignOut(): Promise<void> {
  if (playerState.get() !== undefined) await (await import('./engine/player.ts')).currentPlayer.get()?.finish();
}
