import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { authorBooksQuery, authorQuery, rightsQuery } from '../../../api/audiobooks-queries.ts';
import type { Author } from '../../../api/types.ts';
import { count } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';
import { Loaded, NotLoaded } from '../../../ui/loaded.tsx';
import { MoreButton } from '../../../ui/more-button.tsx';
import { Page } from '../../../ui/page.tsx';
import { BookCard } from '../book-card.tsx';
import { Cards } from './book-cards.tsx';
import { MergeGroupDialog } from './merge-group-dialog.tsx';
import { RenameDialog } from './rename-dialog.tsx';

export function AuthorView({ id }: { readonly id: string }): ReactNode {
  const author = useQuery(authorQuery(id));
  const mayEdit = useQuery(rightsQuery).data?.can.edit ?? false;
  const [open, setOpen] = useState<'rename' | 'merge'>();
  const close = (): void => setOpen(undefined);
  return (
    <Page
      title={author.data?.name ?? 'Author'}
      description={author.data === undefined ? undefined : aboutOf(author.data)}
      actions={
        mayEdit && (
          <div className="flex gap-2">
            <Button onClick={() => setOpen('rename')}>Rename author</Button>
            <Button onClick={() => setOpen('merge')}>Merge authors</Button>
          </div>
        )
      }
    >
      <Loaded query={author}>
        {(found) => (
          <>
            <AuthorBooks author={found} />
            {open === 'rename' && <RenameDialog author={found} onClose={close} />}
            {open === 'merge' && <MergeGroupDialog kind="authors" group={found} onClose={close} />}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function aboutOf({ books, aliases }: Author): ReactNode {
  return (
    <>
      {count(books, 'book')}
      {aliases.length > 0 && (
        <span dir="auto">
          {' · also known as '}
          {aliases.join(', ')}
        </span>
      )}
    </>
  );
}

function AuthorBooks({ author }: { readonly author: Author }): ReactNode {
  const query = useInfiniteQuery(authorBooksQuery(author.id));
  if (query.data === undefined) return <NotLoaded query={query} lines={6} />;
  return (
    <>
      <Cards label={`Books by ${author.name}`}>
        {query.data.pages
          .flatMap(({ data }) => data)
          .map((book) => (
            <li key={book.id}>
              <BookCard book={book} mark={book.series[0]?.sequence ?? undefined} />
            </li>
          ))}
      </Cards>
      <MoreButton query={query}>Load more books</MoreButton>
    </>
  );
}
