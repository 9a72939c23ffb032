import { Dialog } from '@base-ui/react/dialog';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronDown } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';

import { jumpsQuery } from '../../api/audiobooks-queries.ts';
import { useStore } from '../../lib/store.ts';
import { Cover } from '../../pages/books/cover.tsx';
import { IconButton } from '../../ui/button.tsx';
import { backdropClass } from '../../ui/dialog.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Segments } from '../../ui/segments.tsx';
import { Time } from '../../ui/time.tsx';
import { deviceName } from '../engine/device.ts';
import { chapterAt, chaptersOf } from '../model/timeline.ts';
import type { PlayerView } from '../model/view.ts';
import { playerState } from '../state.ts';
import { BookmarkList } from './bookmark-list.tsx';
import { SleepChoice, SpeedChoice, VolumeControl } from './choices.tsx';
import { Notices } from './notices.tsx';
import { PositionRow } from './position-row.tsx';
import { QueueList } from './queue-list.tsx';
import { SeekBar } from './seek-bar.tsx';
import { Transport } from './transport.tsx';

/** The full player: a full screen on phones, a side panel elsewhere. */
// oxlint-disable-next-line import/no-default-export -- `lazy` wants it so
export default function NowPlaying({ onClose }: { readonly onClose: () => void }): ReactNode {
  const view = useStore(playerState);
  if (view === undefined) return null;
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={backdropClass} />
        <Dialog.Popup
          data-player
          className="fixed inset-0 z-40 flex flex-col overflow-y-auto bg-raised sm:left-auto sm:w-[26rem] sm:border-l sm:border-line sm:shadow-xl"
        >
          <div className="sticky top-0 z-10 flex items-center gap-2 bg-raised px-4 pt-3 pb-1">
            <IconButton label="Close" onClick={onClose}>
              <ChevronDown className="size-5" aria-hidden />
            </IconButton>
            <Dialog.Title className="text-[13px] font-medium text-muted">Now playing</Dialog.Title>
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
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
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
  return (
    <div className="grid gap-2 border-t border-line px-3 pt-3 pb-6">
      <Segments label="Player lists" value={list} options={lists} onChange={setList} />
      {list === 'chapters' && <ChapterList view={view} />}
      {list === 'bookmarks' && <BookmarkList bookId={view.book.id} />}
      {list === 'jumps' && <JumpList bookId={view.book.id} />}
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
        <PositionRow key={start} positionMs={start} isCurrent={index === at}>
          <bdi data-current={index === at || undefined}>{title}</bdi>
        </PositionRow>
      ))}
    </ol>
  );
}

/** Positions before each jump on any device, so that an accidental jump loses nothing. */
function JumpList({ bookId }: { readonly bookId: string }): ReactNode {
  return (
    <Loaded query={useQuery({ ...jumpsQuery(bookId), staleTime: 0 })}>
      {(jumps) =>
        jumps.length === 0 ? (
          <p className="px-3 py-4 text-muted">After a jump, the previous position appears here.</p>
        ) : (
          <ul aria-label="Previous positions" className="grid max-h-80 gap-0.5 overflow-y-auto">
            {jumps.map(({ position_ms: positionMs, at, device_id: device }) => (
              <PositionRow key={`${at} ${positionMs}`} positionMs={positionMs}>
                <Time at={at} /> <span className="text-muted">on {deviceName(device)}</span>
              </PositionRow>
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}
