import { Link } from '@tanstack/react-router';
import { ChevronDown, X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';

import { useStore } from '../../lib/store.ts';
import { Cover } from '../../pages/books/cover.tsx';
import { MoveButtons, moved } from '../../pages/books/move-buttons.tsx';
import { BookmarkList, JumpList, PositionRow } from '../../pages/books/positions.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Modal } from '../../ui/modal.tsx';
import { Segments } from '../../ui/field.tsx';
import { seekTo } from '../engine/controls.ts';
import { currentPlayer } from '../engine/player.ts';
import { chapterAt, chaptersOf } from '../model/timeline.ts';
import type { PlayableBook, PlayerView } from '../model/view.ts';
import { playerState } from '../state.ts';
import { Notices, SeekBar, SleepChoice, SpeedChoice, Transport, VolumeControl } from './controls.tsx';

/** The full player: it fills the screen on phones and is a side panel elsewhere. */
export function NowPlaying({ onClose }: { readonly onClose: () => void }): ReactNode {
  const view = useStore(playerState);
  const id = useId();
  if (view === undefined) return null;
  return (
    <Modal
      isOpen
      onClose={onClose}
      data-player
      aria-labelledby={id}
      className="fixed inset-0 z-40 flex flex-col overflow-y-auto bg-raised sm:left-auto sm:w-[26rem] sm:border-l sm:border-line sm:shadow-xl"
    >
      <div className="sticky top-0 z-10 flex items-center gap-2 bg-raised px-4 pt-3 pb-1">
        <IconButton icon={ChevronDown} label="Close" onClick={onClose} />
        <h2 id={id} className="text-[13px] font-medium text-muted">
          Now playing
        </h2>
      </div>
      <Notices view={view} />
      <Head view={view} onClose={onClose} />
      <div className="grid gap-3 px-5 pb-4">
        <SeekBar view={view} />
        <Transport view={view} isLarge />
        <div className="flex flex-wrap items-center justify-center gap-x-1">
          <SpeedChoice view={view} />
          <SleepChoice view={view} />
          <VolumeControl view={view} />
        </div>
      </div>
      <Lists view={view} />
    </Modal>
  );
}

function Head({ view: { book }, onClose }: { readonly view: PlayerView; readonly onClose: () => void }): ReactNode {
  return (
    <div className="grid justify-items-center gap-1 px-5 pt-1 pb-3 text-center">
      <span className="mb-3 w-full max-w-52 shadow-lg">
        <Cover book={book} size={512} />
      </span>
      <Link
        to="/books/$view"
        params={{ view: book.id }}
        onClick={onClose}
        className="line-clamp-3 max-w-full text-lg font-semibold break-words hover:underline"
      >
        <bdi>{book.title}</bdi>
      </Link>
      <p className="line-clamp-2 max-w-full break-words text-muted">
        <bdi>{book.authors.map(({ name }) => name).join(', ')}</bdi>
        {book.narrators.length > 0 && (
          <>
            {' · read by '}
            <bdi>{book.narrators.join(', ')}</bdi>
          </>
        )}
      </p>
    </div>
  );
}

const lists = [
  { value: 'chapters', label: 'Chapters' },
  { value: 'bookmarks', label: 'Bookmarks' },
  { value: 'jumps', label: 'Jump back' },
  { value: 'queue', label: 'Up next' },
] as const;

function Lists({ view }: { readonly view: PlayerView }): ReactNode {
  const [list, setList] = useState<(typeof lists)[number]['value']>('chapters');
  const { id } = view.book;
  return (
    <div className="grid gap-2 border-t border-line px-3 pt-3 pb-6">
      <Segments label="Player lists" value={list} options={lists} onChange={setList} />
      {list === 'chapters' && <ChapterList view={view} />}
      {list === 'bookmarks' && (
        <BookmarkList bookId={id} onPlay={seekTo} currentPosition={() => playerState.get()?.positionMs ?? 0} />
      )}
      {list === 'jumps' && <JumpList bookId={id} onPlay={seekTo} />}
      {list === 'queue' && <QueueList queue={view.queue} />}
    </div>
  );
}

function ChapterList({ view: { timeline, positionMs } }: { readonly view: PlayerView }): ReactNode {
  const list = useRef<HTMLOListElement>(null);
  const at = timeline === undefined ? -1 : chapterAt(timeline, positionMs);
  useEffect(() => {
    // Scrolls only the list, not the page.
    const row = list.current?.querySelector<HTMLElement>('[data-current]');
    if (row && list.current) list.current.scrollTop = row.offsetTop - list.current.clientHeight / 2;
  }, [at]);
  const chapters = timeline === undefined ? [] : chaptersOf(timeline);
  if (chapters.length === 0) return <p className="px-3 py-4 text-muted">This book has no chapters.</p>;
  return (
    <ol ref={list} className="relative grid max-h-80 gap-0.5 overflow-y-auto" aria-label="Chapters">
      {chapters.map(({ title, start_ms: start }, index) => (
        <PositionRow key={start} positionMs={start} onPlay={seekTo} isCurrent={index === at}>
          <bdi data-current={index === at || undefined}>{title}</bdi>
        </PositionRow>
      ))}
    </ol>
  );
}

function setQueue(queue: readonly PlayableBook[]): void {
  currentPlayer.get()?.setQueue(queue);
}

function QueueList({ queue }: { readonly queue: readonly PlayableBook[] }): ReactNode {
  if (queue.length === 0)
    return <p className="px-3 py-4 text-muted">The queue is empty. Play a playlist to fill it.</p>;
  return (
    <ol aria-label="Up next" className="grid max-h-80 gap-0.5 overflow-y-auto">
      {queue.map((book, at) => (
        <li key={`${book.id} ${at}`} className="flex items-center gap-1 rounded-lg px-2 py-1 hover:bg-sunken">
          <span className="w-9 shrink-0">
            <Cover book={book} size={96} />
          </span>
          <bdi className="min-w-0 flex-1 truncate px-2">{book.title}</bdi>
          <MoveButtons
            title={book.title}
            at={at}
            length={queue.length}
            onMove={(to) => setQueue(moved(queue, at, to))}
          />
          <IconButton
            label={`Remove ${book.title}`}
            icon={X}
            onClick={() => setQueue(queue.filter((_book, index) => index !== at))}
          />
        </li>
      ))}
    </ol>
  );
}
