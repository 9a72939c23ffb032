import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { FolderCheck } from 'lucide-react';
import { type ReactNode, useDeferredValue, useState } from 'react';

import { booksApi } from '../../../api/clients.ts';
import type { Library, OrganisePlan } from '../../../api/types.ts';
import { librariesQuery, organisePlanQuery } from '../../../api/audiobooks-queries.ts';
import { useAction } from '../../../api/use-action.ts';
import { count } from '../../../lib/format.ts';
import { randomKey } from '../../../lib/random-key.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { Choice } from '../../../ui/field.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Page } from '../../../ui/page.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { NoBookYet } from '../no-book-yet.tsx';
import { RecentOperations } from '../operations/recent.tsx';
import { RunningOperations } from '../operations/running.tsx';
import { MoveList, RefusalList } from './move-list.tsx';
import { defaultTemplate, TemplateField } from './template-field.tsx';

export function View(): ReactNode {
  const libraries = useQuery(librariesQuery);
  return (
    <Page
      title="Organise"
      description="Renames folders and files by their metadata. You preview all moves first, and can undo them."
    >
      <RunningOperations />
      <Loaded query={libraries}>
        {(all) =>
          all.length === 0 ? (
            <Card isFlush>
              <NoBookYet />
            </Card>
          ) : (
            <Organise libraries={all} />
          )
        }
      </Loaded>
      <RecentOperations type="organize" />
    </Page>
  );
}

function Organise({ libraries }: { readonly libraries: readonly Library[] }): ReactNode {
  const [library, setLibrary] = useState(libraries[0]?.id ?? '');
  const [template, setTemplate] = useState(defaultTemplate);
  const settled = useDeferredValue(template);
  const plan = useQuery({ ...organisePlanQuery(library, settled), placeholderData: keepPreviousData });
  return (
    <>
      <Card>
        <div className="grid gap-4">
          {libraries.length > 1 && (
            <Choice
              label="Library"
              value={library}
              options={libraries.map(({ id, name }) => ({ value: id, label: name }))}
              onChange={setLibrary}
            />
          )}
          <TemplateField value={template} onChange={setTemplate} />
        </div>
      </Card>
      {plan.isError ? (
        <Card isFlush>
          <Failure error={plan.error} onRetry={() => void plan.refetch()} />
        </Card>
      ) : plan.data === undefined ? (
        <Card isFlush>
          <Skeleton lines={5} />
        </Card>
      ) : (
        <Plan plan={plan.data} library={library} template={settled} isOld={plan.isPlaceholderData} />
      )}
    </>
  );
}

interface PlanProps {
  readonly plan: OrganisePlan;
  readonly library: string;
  readonly template: string;
  /** Whether the plan belongs to an earlier template. */
  readonly isOld: boolean;
}

function Plan({ plan, library, template, isOld }: PlanProps): ReactNode {
  const { moves, refusals, total_moves: total } = plan;
  const run = useAction({
    failed: 'Could not start moving files',
    done: () => 'Moving files',
    touches: ['audiobooks'],
    run: () =>
      booksApi.POST('/operations/organise', {
        body: { library, template },
        idempotencyKey: randomKey(),
      }),
  });
  if (moves.length === 0 && refusals.length === 0) {
    return (
      <Card isFlush>
        <EmptyState icon={FolderCheck} title="Already organised">
          <p>This template moves no files.</p>
        </EmptyState>
      </Card>
    );
  }
  return (
    <>
      {refusals.length > 0 && <RefusalList refusals={refusals} total={plan.total_refusals} />}
      <Card
        title="Preview"
        description={`${count(total, 'file')} to move${total > moves.length ? `, the first ${count(moves.length)} shown` : ''}`}
        isFlush
        actions={
          moves.length > 0 && (
            <Button variant="primary" isBusy={run.isPending} disabled={isOld} onClick={() => run.mutate()}>
              Move {count(total, 'file')}
            </Button>
          )
        }
      >
        <div className={isOld ? 'opacity-60' : ''}>
          <MoveList moves={moves} />
        </div>
      </Card>
    </>
  );
}
