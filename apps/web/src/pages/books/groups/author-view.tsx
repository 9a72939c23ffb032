import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { authorBooksQuery, authorQuery, groupsQuery } from '../../../api/audiobooks-queries.ts';
import { booksApi } from '../../../api/clients.ts';
import type { Author } from '../../../api/types.ts';
import { useRows } from '../../../api/use-rows.ts';
import { count } from '../../../lib/format.ts';
import { randomKey } from '../../../lib/random-key.ts';
import { Button } from '../../../ui/button.tsx';
import { FormDialog } from '../../../ui/dialog.tsx';
import { Field, SearchBox, TextArea } from '../../../ui/field.tsx';
import { Loaded, MoreButton, NotLoaded, Page } from '../../../ui/page.tsx';
import { useBooksAction, useRights } from '../actions.ts';
import { BookCard, BookCards } from '../book-list.tsx';

export function AuthorView({ id }: { readonly id: string }): ReactNode {
  const author = useQuery(authorQuery(id));
  const { edit } = useRights();
  const [open, setOpen] = useState<'rename' | 'merge'>();
  const close = (): void => setOpen(undefined);
  return (
    <Page
      title={author.data?.name ?? 'Author'}
      description={author.data && authorText(author.data)}
      actions={
        edit && (
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

function authorText({ books, aliases }: Author): string {
  return [count(books, 'book'), ...(aliases.length > 0 ? [`also known as ${aliases.join(', ')}`] : [])].join(' · ');
}

interface AuthorProps {
  readonly author: Author;
}

function AuthorBooks({ author }: AuthorProps): ReactNode {
  const query = useInfiniteQuery(authorBooksQuery(author.id));
  const { rows } = useRows(query);
  if (query.data === undefined) return <NotLoaded query={query} lines={6} />;
  return (
    <>
      <BookCards label={`Books by ${author.name}`}>
        {rows.map((book) => (
          <li key={book.id}>
            <BookCard book={book} mark={book.series[0]?.sequence} />
          </li>
        ))}
      </BookCards>
      <MoreButton query={query}>Load more books</MoreButton>
    </>
  );
}

/**
 * Edits the displayed name and the aliases. If a file names an alias as its author, a scan assigns the file to this
 * author.
 */
function RenameDialog({ author, onClose }: AuthorProps & { readonly onClose: () => void }): ReactNode {
  const [name, setName] = useState(author.name);
  const [written, setWritten] = useState(author.aliases.join('\n'));
  const save = useBooksAction({
    failed: 'Could not rename the author',
    done: () => 'Saved',
    run: () => {
      const lines = written.split('\n').map((line) => line.trim());
      const aliases = lines.filter((line) => line !== '');
      const body = {
        ...(name.trim() === author.name ? {} : { name: name.trim() }),
        add_aliases: aliases.filter((alias) => !author.aliases.includes(alias)),
        remove_aliases: author.aliases.filter((alias) => !aliases.includes(alias)),
      };
      return booksApi.PATCH('/authors/{author}', { params: { author: author.id }, body });
    },
  });
  return (
    <FormDialog
      title="Rename author"
      action="Save changes"
      isBusy={save.isPending}
      isDisabled={name.trim() === ''}
      onSubmit={() => save.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Field label="Name" dir="auto" required value={name} onChange={setName} />
      <TextArea
        label="Also known as"
        help="One per line. Books tagged with any of these names belong to this author."
        rows={3}
        dir="auto"
        value={written}
        onChange={setWritten}
      />
    </FormDialog>
  );
}

interface MergeGroupDialogProps {
  readonly kind: 'authors' | 'series';
  readonly group: { readonly id: string; readonly name: string };
  readonly onClose: () => void;
}

const CHOICES_SHOWN = 20;

/** Merges two names for the same author or series. The operation can be undone. */
export function MergeGroupDialog({ kind, group, onClose }: MergeGroupDialogProps): ReactNode {
  const [q, setQ] = useState('');
  const [chosen, setChosen] = useState<string>();
  const { data } = useInfiniteQuery(groupsQuery(kind, q));
  const others = (data?.pages[0]?.data ?? []).filter(({ id }) => id !== group.id).slice(0, CHOICES_SHOWN);
  const noun = kind === 'authors' ? 'author' : 'series';
  const merge = useBooksAction({
    failed: `Could not merge the ${noun}`,
    done: () => 'Merged. You can undo this on the Operations page.',
    run: async (): Promise<void> => {
      const request = { body: { others: chosen === undefined ? [] : [chosen] }, idempotencyKey: randomKey() };
      if (kind === 'authors')
        await booksApi.POST('/authors/{author}/merge', { params: { author: group.id }, ...request });
      else await booksApi.POST('/series/{series}/merge', { params: { series: group.id }, ...request });
    },
  });
  return (
    <FormDialog
      title={`Merge into ${group.name}`}
      description={`Select the ${noun} to merge. The books of the selected ${noun} move to ${group.name}, and the selected name becomes an alias.`}
      action={`Merge ${kind}`}
      isBusy={merge.isPending}
      isDisabled={chosen === undefined}
      onSubmit={() => merge.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      <SearchBox label={`Search ${kind}`} value={q} onChange={setQ} />
      <fieldset className="grid max-h-72 gap-1 overflow-y-auto">
        <legend className="sr-only">The other {noun}</legend>
        {others.map(({ id, name, books }) => (
          <label key={id} className="flex cursor-pointer items-center gap-3 rounded-lg px-3 py-2 hover:bg-sunken">
            <input
              type="radio"
              name="other"
              className="accent-(--accent)"
              checked={chosen === id}
              onChange={() => setChosen(id)}
            />
            <bdi className="min-w-0 flex-1 break-words">{name}</bdi>
            <span className="text-[13px] text-muted tabular-nums">{count(books, 'book')}</span>
          </label>
        ))}
        {others.length === 0 && <p className="px-3 text-muted">No matching names</p>}
      </fieldset>
    </FormDialog>
  );
}
