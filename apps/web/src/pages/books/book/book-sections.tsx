import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Download, Pencil, Play } from 'lucide-react';
import type { ReactNode } from 'react';

import { ebooksQuery, historyQuery } from '../../../api/audiobooks-queries.ts';
import { booksApi } from '../../../api/clients.ts';
import type { Book, BookChange } from '../../../api/types.ts';
import { useRows } from '../../../api/use-rows.ts';
import { byteSize, clockTime, count } from '../../../lib/format.ts';
import { playBook } from '../../../player/player.ts';
import { Time } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Failure, ListCard, MoreButton } from '../../../ui/page.tsx';
import { useBooksAction, useRights } from '../actions.ts';
import { lengthText } from '../book-text.ts';
import { FileActions } from './file-dialogs.tsx';
import { fieldLabel, sourceText, valueText } from './fields.ts';

const CHAPTERS_SHOWN = 20;
const FILES_SHOWN = 8;
const CHANGES_SHOWN = 6;

interface BookProps {
  readonly book: Book;
}

/** Lists the chapters and highlights the current one. Playback can start from any chapter. */
export function Chapters({ book, onEdit }: BookProps & { readonly onEdit?: () => void }): ReactNode {
  const { chapters, progress } = book;
  if (chapters.length === 0) return null;
  const positionMs = progress === null || progress.finished ? -1 : progress.position_ms;
  return (
    <ListCard
      title="Chapters"
      description={count(chapters.length, 'chapter')}
      actions={
        onEdit !== undefined && (
          <Button size="small" icon={Pencil} onClick={onEdit}>
            Edit chapters
          </Button>
        )
      }
      limit={CHAPTERS_SHOWN}
      rows={chapters}
      keyOf={({ index }) => index}
      render={({ index, title, start_ms: start, end_ms: end }) => {
        const isCurrent = positionMs >= start && positionMs < end;
        return (
          <button
            type="button"
            disabled={book.missing}
            aria-current={isCurrent || undefined}
            aria-label={`Play from ${title}, ${clockTime(start)}`}
            onClick={() => playBook(book, start)}
            className={`group flex w-full items-center gap-3 px-5 py-2 text-left -outline-offset-2 hover:bg-sunken ${isCurrent ? 'bg-accent-soft' : ''}`}
          >
            <span className="grid w-6 shrink-0 place-items-center text-[13px] text-muted tabular-nums">
              <span className="group-hover:hidden group-focus-visible:hidden">{index + 1}</span>
              <Play
                className="hidden size-3.5 fill-current text-accent group-hover:block group-focus-visible:block"
                aria-hidden
              />
            </span>
            <bdi className="min-w-0 flex-1 break-words">{title}</bdi>
            <span className="shrink-0 text-[13px] text-muted tabular-nums">{lengthText(end - start)}</span>
          </button>
        );
      }}
    />
  );
}

export function Files({ book }: BookProps): ReactNode {
  const { segments, size_bytes: total } = book;
  const { download, manage } = useRights();
  if (segments.length === 0) return null;
  return (
    <ListCard
      title="Files"
      description={`${count(segments.length, 'file')}, ${byteSize(total)}`}
      actions={manage && book.deleted_at === null && !book.missing && <FileActions book={book} />}
      limit={FILES_SHOWN}
      rows={segments}
      keyOf={({ id }) => id}
      render={({ index, start_ms: start, duration_ms: length, size_bytes: size, format, url }) => (
        <div className="flex items-center gap-3 px-5 py-1.5 text-[13px]">
          <span className="w-6 shrink-0 text-right text-muted tabular-nums">{index + 1}</span>
          <span className="min-w-0 flex-1 tabular-nums">
            {clockTime(start)} – {clockTime(start + length)}
          </span>
          <span className="text-muted tabular-nums">
            {format} · {byteSize(size)}
          </span>
          {download && <DownloadLink href={url.replace(/\/stream$/u, '/download')} name={`file ${index + 1}`} />}
        </div>
      )}
    />
  );
}

function DownloadLink({ href, name }: { readonly href: string; readonly name: string }): ReactNode {
  return (
    <a
      href={href}
      download
      aria-label={`Download ${name}`}
      title={`Download ${name}`}
      className="grid size-8 shrink-0 place-items-center rounded-lg text-muted hover:bg-sunken hover:text-text"
    >
      <Download className="size-4" aria-hidden />
    </a>
  );
}

/** E-books that are stored with the audio files. */
export function Ebooks({ book }: BookProps): ReactNode {
  const { download } = useRights();
  const { data: ebooks = [] } = useQuery(ebooksQuery(book.id));
  if (ebooks.length === 0) return null;
  return (
    <ListCard
      title="E-books"
      rows={ebooks}
      keyOf={({ name }) => name}
      render={({ name, size_bytes: size, url }) => (
        <div className="flex items-center gap-3 px-5 py-1.5 text-[13px]">
          <bdi className="min-w-0 flex-1 break-words">{name}</bdi>
          <span className="text-muted tabular-nums">{byteSize(size)}</span>
          {download && <DownloadLink href={url} name={name} />}
        </div>
      )}
    />
  );
}

export function History({ book }: BookProps): ReactNode {
  const query = useInfiniteQuery(historyQuery(book.id));
  const { rows } = useRows(query);
  if (query.isError) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  if (rows.length === 0) return null;
  return (
    <ListCard
      title="History"
      limit={CHANGES_SHOWN}
      rows={rows}
      keyOf={({ id }) => id}
      render={(change) => <ChangeRow book={book} change={change} />}
    >
      <MoreButton query={query} size="small" className="border-t border-line px-5 py-3">
        Load more changes
      </MoreButton>
    </ListCard>
  );
}

/** `cover` and `chapters` cannot be shown as text: their values are the id of a picture and a list. */
const hasText = (field: string): boolean => field !== 'cover' && field !== 'chapters';

function ChangeRow({ book, change }: BookProps & { readonly change: BookChange }): ReactNode {
  const { id, field, before, after, source, at, by } = change;
  const what = `the change to ${fieldLabel(field).toLowerCase()}`;
  const undo = useBooksAction({
    failed: 'Could not undo the change',
    done: () => `Undid ${what}`,
    run: () => booksApi.POST('/books/{book}/history/{entry}/undo', { params: { book: book.id, entry: id } }),
  });
  return (
    <div className="flex items-start gap-3 px-5 py-2.5">
      <div className="grid min-w-0 flex-1 gap-0.5">
        <p className="text-[13px] text-muted">
          <span className="font-medium text-text">{fieldLabel(field)}</span> {sourceText(source)}
          {by !== '' && ` by ${by}`}, <Time at={at} />
        </p>
        {hasText(field) && (
          <p className="break-words">
            <del className="text-bad">
              <bdi>{valueText(before)}</bdi>
            </del>{' '}
            <span aria-hidden>→</span>{' '}
            <ins className="text-good no-underline">
              <bdi>{valueText(after)}</bdi>
            </ins>
          </p>
        )}
      </div>
      <Button
        size="small"
        variant="quiet"
        aria-label={`Undo ${what}`}
        isBusy={undo.isPending}
        onClick={() => undo.mutate()}
      >
        Undo
      </Button>
    </div>
  );
}
