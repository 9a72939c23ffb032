import { useQuery } from '@tanstack/react-query';
import { BookmarkPlus, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { bookmarksQuery, jumpsQuery } from '../../api/audiobooks-queries.ts';
import { booksApi } from '../../api/clients.ts';
import { clockTime } from '../../lib/format.ts';
import { randomKey } from '../../lib/random-key.ts';
import { deviceName } from '../../player/engine/browser.ts';
import { spokenTime } from '../../player/model/timeline.ts';
import { Time } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { controlClass, Form } from '../../ui/field.tsx';
import { Loaded } from '../../ui/page.tsx';
import { useBooksAction } from './actions.ts';

interface PositionRowProps {
  readonly positionMs: number;
  readonly onPlay: (positionMs: number) => void;
  readonly children: ReactNode;
  readonly isCurrent?: boolean;
  readonly actions?: ReactNode;
}

export function PositionRow({ positionMs, onPlay, children, isCurrent = false, actions }: PositionRowProps): ReactNode {
  return (
    <li
      className={`flex items-center rounded-lg ${isCurrent ? 'bg-accent-soft text-accent-strong' : 'hover:bg-sunken'}`}
    >
      <button
        type="button"
        aria-current={isCurrent ? 'true' : undefined}
        onClick={() => onPlay(positionMs)}
        className="flex min-h-10 min-w-0 flex-1 items-center gap-3 rounded-lg px-3 py-1.5 text-start"
      >
        <span className="min-w-0 flex-1 break-words">{children}</span>
        <span className="sr-only">at {spokenTime(positionMs)}</span>
        <span className="shrink-0 text-xs tabular-nums" aria-hidden>
          {clockTime(positionMs)}
        </span>
      </button>
      {actions}
    </li>
  );
}

interface PositionListProps {
  readonly bookId: string;
  readonly onPlay: (positionMs: number) => void;
}

interface BookmarkListProps extends PositionListProps {
  /** Returns the position for a new bookmark. */
  readonly currentPosition: () => number;
}

export function BookmarkList({ bookId, onPlay, currentPosition }: BookmarkListProps): ReactNode {
  const bookmarks = useQuery(bookmarksQuery(bookId));
  const remove = useBooksAction<string>({
    failed: 'Could not remove the bookmark',
    run: (bookmark) => booksApi.DELETE('/bookmarks/{bookmark}', { params: { bookmark } }),
  });
  return (
    <>
      <NewBookmark bookId={bookId} currentPosition={currentPosition} />
      <Loaded query={bookmarks}>
        {(found) => (
          <ul aria-label="Bookmarks" className="grid max-h-80 gap-0.5 overflow-y-auto">
            {found
              .toSorted((left, right) => left.position_ms - right.position_ms)
              .map(({ id, note, position_ms: positionMs }) => (
                <PositionRow
                  key={id}
                  positionMs={positionMs}
                  onPlay={onPlay}
                  actions={
                    <IconButton
                      label={`Remove bookmark at ${clockTime(positionMs)}`}
                      icon={Trash2}
                      onClick={() => remove.mutate(id)}
                    />
                  }
                >
                  {note === '' ? <span className="text-muted">Bookmark</span> : <bdi>{note}</bdi>}
                </PositionRow>
              ))}
          </ul>
        )}
      </Loaded>
    </>
  );
}

function NewBookmark({ bookId, currentPosition }: Omit<BookmarkListProps, 'onPlay'>): ReactNode {
  const [note, setNote] = useState('');
  const add = useBooksAction({
    failed: 'Could not add the bookmark',
    run: () => {
      const body = { position_ms: Math.round(currentPosition()), note: note.trim() };
      return booksApi.POST('/books/{book}/bookmarks', { params: { book: bookId }, body, idempotencyKey: randomKey() });
    },
  });
  return (
    <Form className="flex gap-2 px-1 py-1" onSubmit={() => add.mutate(undefined, { onSuccess: () => setNote('') })}>
      <input
        aria-label="Bookmark note"
        placeholder="Note (optional)"
        dir="auto"
        maxLength={2_000}
        className={controlClass}
        value={note}
        onChange={({ target }) => setNote(target.value)}
      />
      <Button type="submit" isBusy={add.isPending} icon={BookmarkPlus}>
        Add bookmark
      </Button>
    </Form>
  );
}

/** Positions before each jump on any device, so that users can return after an accidental jump. */
export function JumpList({ bookId, onPlay }: PositionListProps): ReactNode {
  const jumps = useQuery({ ...jumpsQuery(bookId), staleTime: 0 });
  return (
    <Loaded query={jumps}>
      {(found) =>
        found.length === 0 ? (
          <p className="px-3 py-4 text-muted">After a jump, the previous position appears here.</p>
        ) : (
          <ul aria-label="Previous positions" className="grid max-h-80 gap-0.5 overflow-y-auto">
            {found.map(({ position_ms: positionMs, at, device_id: device }) => (
              <PositionRow key={`${at} ${positionMs}`} positionMs={positionMs} onPlay={onPlay}>
                <Time at={at} /> <span className="text-muted">on {deviceName(device)}</span>
              </PositionRow>
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}
