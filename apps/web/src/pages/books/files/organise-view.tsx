import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { FolderCheck } from 'lucide-react';
import { type ReactNode, useDeferredValue, useRef, useState } from 'react';

import { librariesQuery, organisePlanQuery } from '../../../api/audiobooks-queries.ts';
import { booksApi } from '../../../api/clients.ts';
import type { Library, Move, OrganisePlan, Refusal } from '../../../api/types.ts';
import { pathDiff, type Piece } from '../../../lib/diff.ts';
import { count } from '../../../lib/format.ts';
import { randomKey } from '../../../lib/random-key.ts';
import { Button } from '../../../ui/button.tsx';
import { Choice, Field } from '../../../ui/field.tsx';
import { Card, EmptyState, ListCard, Loaded, NotLoaded, Page } from '../../../ui/page.tsx';
import { VirtualList } from '../../../ui/virtual-list.tsx';
import { useBooksAction } from '../actions.ts';
import { NoBooks } from '../book-list.tsx';
import { RecentOperations, RunningOperations } from '../operations/operation-list.tsx';

export function View(): ReactNode {
  const libraries = useQuery(librariesQuery);
  return (
    <Page
      title="Organise"
      description="Renames folders and files according to their metadata. You see a preview first and can undo the moves."
    >
      <RunningOperations />
      <Loaded query={libraries}>
        {(all) =>
          all.length === 0 ? (
            <Card isFlush>
              <NoBooks />
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
  const [template, setTemplate] = useState(DEFAULT_TEMPLATE);
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
      {plan.data === undefined ? (
        <Card isFlush>
          <NotLoaded query={plan} lines={5} />
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
  /** Whether the plan was made for an earlier template. */
  readonly isOld: boolean;
}

function Plan({ plan, library, template, isOld }: PlanProps): ReactNode {
  const { moves, refusals, total_moves: total } = plan;
  const run = useBooksAction({
    failed: 'Could not start moving files',
    done: () => 'Moving files',
    run: () => booksApi.POST('/operations/organise', { body: { library, template }, idempotencyKey: randomKey() }),
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
        description={`${count(total, 'file')} to move${total > moves.length ? `; showing the first ${count(moves.length)}` : ''}`}
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

/** Creates one folder per book; files keep their names. */
const DEFAULT_TEMPLATE = '{author}/[{series}/][{sequence:2} - ]{title}[ ({year})][ {{{narrators}}}]';

const examples = [
  { label: 'One folder per book', template: DEFAULT_TEMPLATE },
  { label: 'Without series', template: '{author}/{title}[ ({year})]' },
  { label: 'With file names', template: '{author}/{title}/[{track:3} - ]{title}.{ext}' },
] as const;

const variables = ['author', 'title', 'series', 'sequence', 'year', 'narrator', 'language', 'genre'] as const;

const help = (
  <>
    A slash starts a new folder. Parts in <code className="font-mono">[ ]</code> are omitted if the book has no value
    for them. <code className="font-mono">:2</code> pads a number to two digits.
  </>
);

interface TemplateFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function TemplateField({ value, onChange }: TemplateFieldProps): ReactNode {
  const box = useRef<HTMLInputElement>(null);
  const insert = (name: string): void => {
    const element = box.current;
    const [from, to] = [element?.selectionStart ?? value.length, element?.selectionEnd ?? value.length];
    onChange(`${value.slice(0, from)}{${name}}${value.slice(to)}`);
    element?.focus();
  };
  return (
    <div className="grid gap-2">
      <Field
        label="Template"
        help={help}
        ref={box}
        dir="ltr"
        spellCheck={false}
        autoComplete="off"
        maxLength={1_000}
        className="font-mono text-[13px]"
        value={value}
        onChange={onChange}
      />
      <div className="flex flex-wrap gap-1.5">
        {variables.map((name) => (
          <button
            key={name}
            type="button"
            aria-label={`Insert ${name}`}
            onClick={() => insert(name)}
            className="rounded-md border border-line bg-sunken px-1.5 py-0.5 font-mono text-xs text-muted hover:text-text"
          >
            {`{${name}}`}
          </button>
        ))}
      </div>
      <div className="flex flex-wrap gap-x-4 gap-y-1 text-[13px]">
        {examples.map(({ label, template }) => (
          <button
            key={label}
            type="button"
            onClick={() => onChange(template)}
            className="font-medium text-accent-strong hover:underline"
          >
            {label}
          </button>
        ))}
      </div>
    </div>
  );
}

const ROW_HEIGHT = 62;

/** Shows source and target paths with differences highlighted. */
function MoveList({ moves }: { readonly moves: readonly Move[] }): ReactNode {
  if (moves.length === 0) return <p className="px-5 pb-5 text-muted">This template moves no files.</p>;
  return (
    <div className="border-t border-line">
      <VirtualList
        label="Moves"
        rows={moves}
        rowHeight={ROW_HEIGHT}
        keyOf={({ from }) => from}
        render={({ from, to }) => {
          const parts = pathDiff(from, to);
          return (
            <div className="grid gap-0.5 px-5 py-2 font-mono text-[13px]">
              <Path word="from" parts={parts.from} colours="bg-bad-soft text-bad" />
              <Path word="to" parts={parts.to} colours="bg-good-soft text-good" />
            </div>
          );
        }}
      />
    </div>
  );
}

interface PathProps {
  readonly word: string;
  readonly parts: readonly Piece[];
  readonly colours: string;
}

function Path({ word, parts, colours }: PathProps): ReactNode {
  return (
    <p className="flex gap-3">
      <span className="w-8 shrink-0 font-sans text-muted">{word}</span>
      <span dir="ltr" className="min-w-0 break-all">
        {parts.map(({ text, isChanged }, at) => (
          <bdi key={at} className={isChanged ? `rounded px-0.5 ${colours}` : 'text-muted'}>
            {text}
          </bdi>
        ))}
      </span>
    </p>
  );
}

const REFUSALS_SHOWN = 50;

interface RefusalListProps {
  readonly refusals: readonly Refusal[];
  readonly total: number;
}

function RefusalList({ refusals, total }: RefusalListProps): ReactNode {
  return (
    <ListCard
      title="Skipped books"
      description={`${count(total, 'book')}. Files are never overwritten.`}
      limit={REFUSALS_SHOWN}
      rows={refusals}
      keyOf={({ book_id: book, path }) => `${book} ${path}`}
      render={({ title, path, reason }) => (
        <div className="grid gap-0.5 border-l-2 border-warn px-5 py-2">
          <span className="break-words">
            <bdi className="font-medium">{title}</bdi>: {reason}
          </span>
          <bdi className="font-mono text-xs break-all text-muted">{path}</bdi>
        </div>
      )}
    >
      {total > refusals.length && (
        <p className="border-t border-line px-5 py-2 text-[13px] text-muted">
          {count(total - refusals.length, 'more book')}
        </p>
      )}
    </ListCard>
  );
}
