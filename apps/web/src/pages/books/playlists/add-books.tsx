import { useQuery } from '@tanstack/react-query';
import { Check, Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { booksApi } from '../../../api/clients.ts';
import { useAction } from '../../../api/use-action.ts';
import { randomKey } from '../../../lib/random-key.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { SearchBox } from '../../../ui/search-box.tsx';
import { BookLine } from '../book-line.tsx';
import { findBooksQuery } from './playlist-queries.ts';

interface AddBooksProps {
  readonly playlistId: string;
  /** Ids of the books that the playlist contains. */
  readonly known: ReadonlySet<string>;
}

export function AddBooks({ playlistId, known }: AddBooksProps): ReactNode {
  const [text, setText] = useState('');
  const { data: found = [] } = useQuery(findBooksQuery(text.trim()));
  const add = useAction<string>({
    failed: 'Could not add the book',
    touches: ['audiobooks'],
    run: (book) =>
      booksApi.POST('/playlists/{playlist}/items', {
        params: { playlist: playlistId },
        body: { books: [book] },
        idempotencyKey: randomKey(),
      }),
  });
  const shown = text.trim() === '' ? [] : found;
  return (
    <Card title="Add books">
      <SearchBox label="Title, author, series or narrator" value={text} onChange={setText} />
      <ul aria-label="Search results" className="mt-3 grid">
        {shown.map((book) => (
          <li key={book.id}>
            <BookLine book={book}>
              {known.has(book.id) ? (
                <span className="flex items-center gap-1.5 text-[13px] text-good">
                  <Check className="size-4" aria-hidden />
                  Added
                </span>
              ) : (
                <Button
                  size="small"
                  icon={<Plus className="size-4" aria-hidden />}
                  aria-label={`Add ${book.title}`}
                  isBusy={add.isPending && add.variables === book.id}
                  onClick={() => add.mutate(book.id)}
                >
                  Add book
                </Button>
              )}
            </BookLine>
          </li>
        ))}
      </ul>
      {text.trim() !== '' && shown.length === 0 && <p className="text-muted">No matching books</p>}
    </Card>
  );
}
