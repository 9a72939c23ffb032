import { useQuery } from '@tanstack/react-query';
import { BookmarkPlus, Pencil, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { bookmarksQuery, jumpsQuery } from '../../api/audiobooks-queries.ts';
import { booksApi } from '../../api/clients.ts';
import type { Bookmark } from '../../api/types.ts';
import { clockTime } from '../../lib/format.ts';
import { randomKey } from '../../lib/random-key.ts';
import { say } from '../../lib/toasts.ts';
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
  const [edited, setEdited] = useState<string>();
  const add = useAddBookmark(bookId);
  const remove = useBooksAction<Bookmark>({
    failed: 'Could not remove the bookmark',
    run: async ({ id, note, position_ms }) => {
      await booksApi.DELETE('/bookmarks/{bookmark}', { params: { bookmark: id } });
      say('Removed the bookmark', { label: 'Undo', run: () => add.mutate({ note, position_ms }) });
    },
  });
  return (
    <>
      <NewBookmark bookId={bookId} currentPosition={currentPosition} />
      <Loaded query={bookmarks}>
        {(found) => (
          <ul aria-label="Bookmarks" className="grid max-h-80 gap-0.5 overflow-y-auto">
            {found
              .toSorted((left, right) => left.position_ms - right.position_ms)
              .map((bookmark) =>
                bookmark.id === edited ? (
                  <li key={bookmark.id}>
                    <EditBookmark bookmark={bookmark} onClose={() => setEdited(undefined)} />
                  </li>
                ) : (
                  <PositionRow
                    key={bookmark.id}
                    positionMs={bookmark.position_ms}
                    onPlay={onPlay}
                    actions={
                      <>
                        <IconButton
                          label={`Edit note of bookmark at ${clockTime(bookmark.position_ms)}`}
                          icon={Pencil}
                          onClick={() => setEdited(bookmark.id)}
                        />
                        <IconButton
                          label={`Remove bookmark at ${clockTime(bookmark.position_ms)}`}
                          icon={Trash2}
                          onClick={() => remove.mutate(bookmark)}
                        />
                      </>
                    }
                  >
                    {bookmark.note === '' ? <span className="text-muted">Bookmark</span> : <bdi>{bookmark.note}</bdi>}
                  </PositionRow>
                ),
              )}
          </ul>
        )}
      </Loaded>
    </>
  );
}

function useAddBookmark(bookId: string) {
  return useBooksAction<Pick<Bookmark, 'note' | 'position_ms'>>({
    failed: 'Could not add the bookmark',
    run: (body) =>
      booksApi.POST('/books/{book}/bookmarks', { params: { book: bookId }, body, idempotencyKey: randomKey() }),
  });
}

function NewBookmark({ bookId, currentPosition }: Omit<BookmarkListProps, 'onPlay'>): ReactNode {
  const [note, setNote] = useState('');
  const add = useAddBookmark(bookId);
  const submit = (): void => {
    const body = { position_ms: Math.round(currentPosition()), note: note.trim() };
    add.mutate(body, { onSuccess: () => setNote('') });
  };
  return (
    <Form className="flex gap-2 px-1 py-1" onSubmit={submit}>
      <NoteInput note={note} onChange={setNote} />
      <Button type="submit" isBusy={add.isPending} icon={BookmarkPlus}>
        Add bookmark
      </Button>
    </Form>
  );
}

interface EditBookmarkProps {
  readonly bookmark: Bookmark;
  readonly onClose: () => void;
}

function EditBookmark({ bookmark, onClose }: EditBookmarkProps): ReactNode {
  const [note, setNote] = useState(bookmark.note);
  const save = useBooksAction({
    failed: 'Could not save the note',
    run: () =>
      booksApi.PATCH('/bookmarks/{bookmark}', { params: { bookmark: bookmark.id }, body: { note: note.trim() } }),
  });
  return (
    <Form className="flex gap-2 px-1 py-1" onSubmit={() => save.mutate(undefined, { onSuccess: onClose })}>
      <NoteInput note={note} onChange={setNote} />
      <Button onClick={onClose}>Cancel</Button>
      <Button type="submit" variant="primary" isBusy={save.isPending}>
        Save note
      </Button>
    </Form>
  );
}

interface NoteInputProps {
  readonly note: string;
  readonly onChange: (note: string) => void;
}

function NoteInput({ note, onChange }: NoteInputProps): ReactNode {
  return (
    <input
      aria-label="Bookmark note"
      placeholder="Note (optional)"
      dir="auto"
      maxLength={2_000}
      className={controlClass}
      value={note}
      onChange={({ target }) => onChange(target.value)}
    />
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
