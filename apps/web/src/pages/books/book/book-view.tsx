import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode, useEffect, useState } from 'react';

import { bookQuery } from '../../../api/audiobooks-queries.ts';
import type { Book } from '../../../api/types.ts';
import { byteSize } from '../../../lib/format.ts';
import { currentPosition, playBook } from '../../../player/player.ts';
import { setTabTitle } from '../../../lib/tab-title.ts';
import { Badge, ProgressBar, Time } from '../../../ui/badge.tsx';
import { LinkedFrom } from '../../../ui/cross-link.tsx';
import { LongText } from '../../../ui/long-text.tsx';
import { Card, ListCard, Loaded } from '../../../ui/page.tsx';
import { useRights } from '../actions.ts';
import { BookLine, BooksLink, type BooksTarget, PlayButton, seriesText } from '../book-list.tsx';
import { lengthText, progressText } from '../book-text.ts';
import { Cover } from '../cover.tsx';
import { BookmarkList, JumpList } from '../positions.tsx';
import { BookActions } from './book-actions.tsx';
import { CoverUpload } from './cover-upload.tsx';
import { Chapters, Ebooks, Files, History } from './book-sections.tsx';
import { ChapterEditor } from './chapter-editor.tsx';

export function BookView({ id }: { readonly id: string }): ReactNode {
  const book = useQuery(bookQuery(id));
  const title = book.data?.book.title;
  useEffect(() => {
    if (title !== undefined) setTabTitle(title);
  }, [title]);
  return <Loaded query={book}>{({ book: found, etag }) => <LoadedBook book={found} etag={etag} />}</Loaded>;
}

interface BookProps {
  readonly book: Book;
}

interface LoadedBookProps extends BookProps {
  readonly etag: string | null;
}

function LoadedBook({ book, etag }: LoadedBookProps): ReactNode {
  const { edit } = useRights();
  const play = (positionMs: number): void => playBook(book, positionMs);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <BookHead book={book} etag={etag} />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,5fr)_minmax(0,3fr)]">
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-6">
          {book.description !== null && (
            <Card title="Description">
              <LongText text={book.description} />
            </Card>
          )}
          <ChaptersPart book={book} etag={etag} />
          <Card title="Bookmarks" description="Visible only to you">
            <BookmarkList bookId={book.id} onPlay={play} currentPosition={() => currentPosition(book)} />
          </Card>
          {edit && <History book={book} />}
        </div>
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-6">
          <Facts book={book} />
          <LinkedFrom path={`/books/${book.id}`} />
          {book.editions.length > 0 && (
            <ListCard
              title="Other editions"
              rows={book.editions}
              keyOf={({ id }) => id}
              render={(edition) => <BookLine book={edition} />}
            />
          )}
          <Card title="Jump back" description="Positions before recent jumps">
            <JumpList bookId={book.id} onPlay={play} />
          </Card>
          <Ebooks book={book} />
          <Files book={book} />
        </div>
      </div>
    </div>
  );
}

function BookHead({ book, etag }: LoadedBookProps): ReactNode {
  return (
    <header className="grid gap-5 sm:grid-cols-[14rem_minmax(0,1fr)] sm:gap-8">
      <div className="grid w-44 content-start gap-2 sm:w-full">
        <Cover book={book} size={512} />
        <CoverUpload book={book} etag={etag} />
      </div>
      <div className="grid min-w-0 content-start gap-4">
        <div className="grid min-w-0 gap-1">
          <h1 className="text-2xl font-semibold tracking-tight break-words">
            <bdi>{book.title}</bdi>
          </h1>
          {book.subtitle !== null && <bdi className="text-lg break-words text-muted">{book.subtitle}</bdi>}
          <People book={book} />
        </div>
        <div className="flex flex-wrap items-center gap-2">
          {book.deleted_at !== null && <Badge tone="removed">Removed</Badge>}
          {book.missing && <Badge tone="warn">Files missing</Badge>}
          {book.progress?.finished === true && <Badge tone="good">Finished</Badge>}
        </div>
        <ListeningProgress book={book} />
        <div className="flex flex-wrap items-center gap-2">
          {!book.missing && book.deleted_at === null && <PlayButton book={book} />}
          <BookActions book={book} etag={etag} />
        </div>
      </div>
    </header>
  );
}

interface NamedTarget extends BooksTarget {
  readonly name: string;
}

function inLibrary(filter: string, name: string): NamedTarget {
  return { name, view: 'library', search: { [filter]: name } };
}

function People({ book: { authors, narrators, series } }: BookProps): ReactNode {
  const lines = [
    ['by', authors.map(({ id, name }) => ({ name, view: 'authors', id }))],
    ['read by', narrators.map((name) => inLibrary('narrator', name))],
    ['in', series.map((each) => ({ name: seriesText(each), view: 'series', id: each.id }))],
  ] as const;
  return (
    <dl className="mt-1 grid gap-1 break-words [&_dd]:inline [&_dt]:inline [&_dt]:text-muted">
      {authors.length === 0 && <dd>by unknown author</dd>}
      {lines
        .filter(([, targets]) => targets.length > 0)
        .map(([word, targets]) => (
          <div key={word}>
            <dt>{word} </dt>
            <dd>
              <Links targets={targets} />
            </dd>
          </div>
        ))}
    </dl>
  );
}

function Links({ targets }: { readonly targets: readonly NamedTarget[] }): ReactNode {
  return targets.map(({ name, ...target }, at) => (
    <Fragment key={name}>
      {at > 0 && ', '}
      <BooksLink {...target} className="underline decoration-line-strong underline-offset-2 hover:decoration-current">
        <bdi>{name}</bdi>
      </BooksLink>
    </Fragment>
  ));
}

function ListeningProgress({ book }: BookProps): ReactNode {
  const { progress } = book;
  if (progress === null || progress.finished) {
    return <p className="text-[13px] text-muted">{lengthText(book.duration_ms)}</p>;
  }
  return (
    <div className="grid max-w-md gap-1.5">
      <ProgressBar label="Progress" percent={progress.percent} />
      <p className="text-[13px] text-muted tabular-nums">
        {progressText(book)} of {lengthText(book.duration_ms)} · <Time at={progress.updated_at} />
      </p>
    </div>
  );
}

function linked(filter: string, names: readonly string[]): ReactNode {
  return names.length > 0 && <Links targets={names.map((name) => inLibrary(filter, name))} />;
}

function Facts({ book }: BookProps): ReactNode {
  const facts: readonly (readonly [string, ReactNode])[] = [
    ['Length', lengthText(book.duration_ms)],
    ['Published', [book.year, book.publisher].filter((part) => part !== null).join(', ')],
    ['Edition', book.edition],
    ['Language', linked('language', book.language === null ? [] : [book.language])],
    ['Genres', linked('genre', book.genres)],
    ['Tags', linked('tag', book.tags)],
    ['ISBN', book.isbn13 ?? book.isbn10],
    ['ASIN', book.asin],
    ['Size', byteSize(book.size_bytes)],
    ['Added', <Time at={book.added_at} />],
    ['Folder', book.folder && <span className="font-mono text-xs break-all">{book.folder}</span>],
    ['Locked', book.locks.join(', ')],
  ];
  return (
    <Card title="Details">
      <dl className="grid grid-cols-[5.5rem_minmax(0,1fr)] gap-x-4 gap-y-2">
        {facts
          .filter(([, value]) => Boolean(value))
          .map(([name, value]) => (
            <div key={name} className="col-span-2 grid grid-cols-subgrid">
              <dt className="text-[13px] text-muted">{name}</dt>
              <dd className="min-w-0 break-words">
                <bdi>{value}</bdi>
              </dd>
            </div>
          ))}
      </dl>
    </Card>
  );
}

/** Shows the chapters, or the editor while the user edits them. */
function ChaptersPart({ book, etag }: LoadedBookProps): ReactNode {
  const { edit } = useRights();
  const [isEditing, setEditing] = useState(false);
  if (isEditing) return <ChapterEditor book={book} etag={etag} onClose={() => setEditing(false)} />;
  const canEdit = edit && book.deleted_at === null && book.duration_ms > 0;
  return <Chapters book={book} {...(canEdit ? { onEdit: () => setEditing(true) } : {})} />;
}
