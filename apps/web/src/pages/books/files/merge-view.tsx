import { useQuery } from '@tanstack/react-query';
import { FileStack } from 'lucide-react';
import { type ReactNode, useCallback } from 'react';

import { booksApi } from '../../../api/clients.ts';
import type { MergePlan } from '../../../api/types.ts';
import { booksQuery, mergePlanQuery } from '../../../api/audiobooks-queries.ts';
import { useAction } from '../../../api/use-action.ts';
import { byteSize, clockTime, count } from '../../../lib/format.ts';
import { randomKey } from '../../../lib/random-key.ts';
import { useFilters } from '../../../lib/filters.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Page } from '../../../ui/page.tsx';
import { SearchBox } from '../../../ui/search-box.tsx';
import { NoBookYet } from '../no-book-yet.tsx';
import { BookLine } from '../book-line.tsx';
import { RecentOperations } from '../operations/recent.tsx';
import { RunningOperations } from '../operations/running.tsx';
import { lengthText } from '../book-text.ts';

export function View(): ReactNode {
  const [{ book = '', q = '' }, change] = useFilters();
  const search = useCallback((next: string) => change({ q: next, book: '' }), [change]);
  return (
    <Page
      title="Merge files"
      description="Combines a book's files into one with chapters. Originals are kept for 30 days, and listening positions are preserved."
    >
      <RunningOperations />
      <SearchBox label="Search books" value={q} onChange={search} />
      {book === '' ? (
        <Candidates q={q} onChoose={(id) => change({ book: id }, true)} />
      ) : (
        <Chosen key={book} book={book} />
      )}
      <RecentOperations type="merge" />
    </Page>
  );
}

const SHOWN = 30;

interface CandidatesProps {
  readonly q: string;
  readonly onChoose: (id: string) => void;
}

function Candidates({ q, onChoose }: CandidatesProps): ReactNode {
  const books = useQuery(booksQuery(q === '' ? {} : { q }, undefined));
  return (
    <Card isFlush>
      <Loaded query={books}>
        {({ data }) =>
          data.length === 0 ? (
            q === '' ? (
              <NoBookYet />
            ) : (
              <EmptyState icon={FileStack} title="No matching books">
                <p>Search for part of a title or name.</p>
              </EmptyState>
            )
          ) : (
            <ul className="divide-y divide-line">
              {data.slice(0, SHOWN).map((each) => (
                <li key={each.id}>
                  <BookLine book={each}>
                    <Button size="small" aria-label={`Select ${each.title}`} onClick={() => onChoose(each.id)}>
                      Select book
                    </Button>
                  </BookLine>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}

function Chosen({ book }: { readonly book: string }): ReactNode {
  const plan = useQuery(mergePlanQuery(book));
  return <Loaded query={plan}>{(found) => <Plan plan={found} />}</Loaded>;
}

function aboutOf({ files, format, method, chapters, duration_ms: length, size_bytes: size }: MergePlan): string {
  if (files < 2) return 'This book is already a single file.';
  const how = method === 'copy' ? 'without re-encoding' : 're-encoded';
  return `${count(files, 'file')} become one ${format}, ${how}: ${lengthText(length)}, about ${byteSize(size)}, ${count(chapters.length, 'chapter')}.`;
}

const CHAPTERS_SHOWN = 100;

function Plan({ plan }: { readonly plan: MergePlan }): ReactNode {
  const { book, files, chapters } = plan;
  const run = useAction({
    failed: 'Could not start the merge',
    done: () => 'Merging files',
    touches: ['audiobooks'],
    run: () => booksApi.POST('/operations/merge', { body: { book: book.id }, idempotencyKey: randomKey() }),
  });
  return (
    <Card
      title={book.title}
      description={aboutOf(plan)}
      isFlush
      actions={
        <Button variant="primary" isBusy={run.isPending} disabled={files < 2} onClick={() => run.mutate()}>
          Merge {count(files, 'file')}
        </Button>
      }
    >
      <ol aria-label="Resulting chapters" className="divide-y divide-line border-t border-line">
        {chapters.slice(0, CHAPTERS_SHOWN).map(({ index, title, start_ms: start }) => (
          <li key={index} className="flex gap-4 px-5 py-1.5">
            <span className="w-16 shrink-0 text-right text-[13px] text-muted tabular-nums">{clockTime(start)}</span>
            <span dir="auto" className="min-w-0 flex-1 break-words">
              {title}
            </span>
          </li>
        ))}
      </ol>
    </Card>
  );
}
