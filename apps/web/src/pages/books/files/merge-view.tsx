import { useQuery } from '@tanstack/react-query';
import { FileStack } from 'lucide-react';
import { type ReactNode, useCallback } from 'react';

import { booksQuery, mergePlanQuery } from '../../../api/audiobooks-queries.ts';
import { booksApi } from '../../../api/clients.ts';
import type { MergePlan } from '../../../api/types.ts';
import { useFilters } from '../../../lib/filters.ts';
import { byteSize, clockTime, count } from '../../../lib/format.ts';
import { randomKey } from '../../../lib/random-key.ts';
import { Button } from '../../../ui/button.tsx';
import { SearchBox } from '../../../ui/field.tsx';
import { Card, EmptyState, ListCard, Loaded, Page } from '../../../ui/page.tsx';
import { useBooksAction } from '../actions.ts';
import { BookLine, NoBooks } from '../book-list.tsx';
import { lengthText } from '../book-text.ts';
import { RecentOperations, RunningOperations } from '../operations/operation-list.tsx';

export function View(): ReactNode {
  const [{ book = '', q = '' }, change] = useFilters();
  const search = useCallback((next: string) => change({ q: next, book: '' }), [change]);
  const plan = useQuery({ ...mergePlanQuery(book), enabled: book !== '' });
  return (
    <Page
      title="Merge files"
      description="Combines a book's files into one file with chapters. Originals are kept for 30 days, and listening positions are preserved."
    >
      <RunningOperations />
      <SearchBox label="Search books" value={q} onChange={search} />
      {book === '' ? (
        <Candidates q={q} onSelect={(id) => change({ book: id }, true)} />
      ) : (
        <Loaded query={plan}>{(found) => <Plan key={book} plan={found} />}</Loaded>
      )}
      <RecentOperations type="merge" />
    </Page>
  );
}

const CANDIDATES_SHOWN = 30;

interface CandidatesProps {
  readonly q: string;
  readonly onSelect: (id: string) => void;
}

function Candidates({ q, onSelect }: CandidatesProps): ReactNode {
  const books = useQuery(booksQuery(q === '' ? {} : { q }, undefined));
  return (
    <Card isFlush>
      <Loaded query={books}>
        {({ data }) =>
          data.length > 0 ? (
            <ul className="divide-y divide-line">
              {data.slice(0, CANDIDATES_SHOWN).map((book) => (
                <li key={book.id}>
                  <BookLine book={book}>
                    <Button size="small" aria-label={`Select ${book.title}`} onClick={() => onSelect(book.id)}>
                      Select book
                    </Button>
                  </BookLine>
                </li>
              ))}
            </ul>
          ) : q === '' ? (
            <NoBooks />
          ) : (
            <EmptyState icon={FileStack} title="No matching books">
              <p>Search for part of a title or name.</p>
            </EmptyState>
          )
        }
      </Loaded>
    </Card>
  );
}

function planText({ files, format, method, chapters, duration_ms: length, size_bytes: size }: MergePlan): string {
  if (files < 2) return 'This book is already a single file.';
  const how = method === 'copy' ? 'without re-encoding' : 're-encoded';
  return `${count(files, 'file')} become one ${format} file, ${how}: ${lengthText(length)}, about ${byteSize(size)}, ${count(chapters.length, 'chapter')}.`;
}

const CHAPTERS_SHOWN = 100;

function Plan({ plan }: { readonly plan: MergePlan }): ReactNode {
  const { book, files, chapters } = plan;
  const merge = useBooksAction({
    failed: 'Could not start the merge',
    done: () => 'Merging files',
    run: () => booksApi.POST('/operations/merge', { body: { book: book.id }, idempotencyKey: randomKey() }),
  });
  return (
    <ListCard
      title={book.title}
      description={planText(plan)}
      actions={
        <Button variant="primary" isBusy={merge.isPending} disabled={files < 2} onClick={() => merge.mutate()}>
          Merge {count(files, 'file')}
        </Button>
      }
      label="Resulting chapters"
      limit={CHAPTERS_SHOWN}
      rows={chapters}
      keyOf={({ index }) => index}
      render={({ title, start_ms: start }) => (
        <div className="flex gap-4 px-5 py-1.5">
          <span className="w-16 shrink-0 text-right text-[13px] text-muted tabular-nums">{clockTime(start)}</span>
          <bdi className="min-w-0 flex-1 break-words">{title}</bdi>
        </div>
      )}
    />
  );
}
