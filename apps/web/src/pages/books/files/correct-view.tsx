import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { TextSearch } from 'lucide-react';
import { type ReactNode, useDeferredValue, useState } from 'react';

import { correctionsQuery } from '../../../api/audiobooks-queries.ts';
import { booksApi } from '../../../api/clients.ts';
import type { CorrectionRequest, Corrections } from '../../../api/types.ts';
import { count } from '../../../lib/format.ts';
import { randomKey } from '../../../lib/random-key.ts';
import { Button } from '../../../ui/button.tsx';
import { Field, Segments } from '../../../ui/field.tsx';
import { Card, EmptyState, ListCard, NotLoaded, Page } from '../../../ui/page.tsx';
import { useBooksAction } from '../actions.ts';
import { NoBooks } from '../book-list.tsx';
import { fieldLabel, valueText } from '../book/fields.ts';
import { RecentOperations } from '../operations/operation-list.tsx';

export function View(): ReactNode {
  const [request, setRequest] = useState<CorrectionRequest>({ pattern: '{author}/{title}', from: 'folder' });
  const settled = useDeferredValue(request);
  const isReady = settled.pattern.includes('{');
  const plan = useQuery({ ...correctionsQuery(settled), enabled: isReady, placeholderData: keepPreviousData });
  const change = (changed: Partial<CorrectionRequest>): void => setRequest({ ...request, ...changed });
  return (
    <Page
      title="Correct books"
      description="Fills in the fields of many books at once, from the names of their folders or from their titles. You see a preview first, and you can undo the changes."
    >
      <Card>
        <div className="grid gap-4">
          <Field
            label="Pattern"
            value={request.pattern}
            onChange={(pattern) => change({ pattern })}
            spellCheck={false}
            help="Fields: {author}, {title}, {subtitle}, {series}, {sequence}, {year}, {narrator}. {skip} stands for any other text. A slash separates folders."
          />
          <Segments
            label="Read fields from"
            value={request.from}
            options={[
              { value: 'folder', label: 'Folder names' },
              { value: 'title', label: 'Titles' },
            ]}
            onChange={(from) => change({ from })}
          />
          <Field
            label="Only in this folder of the library"
            value={request.under ?? ''}
            onChange={(under) => change({ under })}
            placeholder="All folders"
            spellCheck={false}
          />
        </div>
      </Card>
      {plan.data === undefined || plan.isError ? (
        <Card isFlush>
          <NotLoaded query={plan} lines={3} />
        </Card>
      ) : (
        <Plan plan={plan.data} request={settled} isOld={plan.isPlaceholderData} />
      )}
      <RecentOperations type="edit" />
    </Page>
  );
}

const BOOKS_SHOWN = 50;

interface PlanProps {
  readonly plan: Corrections;
  readonly request: CorrectionRequest;
  readonly isOld: boolean;
}

function Plan({ plan: { books, unchanged, unmatched }, request, isOld }: PlanProps): ReactNode {
  const apply = useBooksAction({
    failed: 'Could not correct the books',
    done: ({ data }) => `Corrected ${count(data.books, 'book')}`,
    run: () => booksApi.POST('/corrections', { body: request, idempotencyKey: randomKey() }),
  });
  const rest = `${count(unchanged, 'book')} already correct, ${count(unmatched, 'book')} not matched.`;
  if (books.length === 0) {
    return (
      <Card isFlush>
        {unchanged + unmatched === 0 && (request.under ?? '') === '' ? (
          <NoBooks />
        ) : (
          <EmptyState icon={TextSearch} title="The pattern changes nothing">
            <p>{rest}</p>
          </EmptyState>
        )}
      </Card>
    );
  }
  return (
    <ListCard
      title={`${count(books.length, 'book')} would change`}
      description={rest}
      label="Changes"
      actions={
        <Button variant="primary" isBusy={apply.isPending} disabled={isOld} onClick={() => apply.mutate()}>
          Correct {count(books.length, 'book')}
        </Button>
      }
      limit={BOOKS_SHOWN}
      rows={books}
      keyOf={({ id }) => id}
      render={({ name, changes }) => (
        <div className="grid gap-1 px-5 py-2.5">
          <p className="font-medium break-words">
            <bdi>{name}</bdi>
          </p>
          {changes.map(({ field, before, after }) => (
            <p key={field} className="text-[13px] break-words">
              <span className="text-muted">{fieldLabel(field)}:</span>{' '}
              <del className="text-bad">
                <bdi>{valueText(before)}</bdi>
              </del>{' '}
              <span aria-hidden>→</span>{' '}
              <ins className="text-good no-underline">
                <bdi>{valueText(after)}</bdi>
              </ins>
            </p>
          ))}
        </div>
      )}
    />
  );
}
