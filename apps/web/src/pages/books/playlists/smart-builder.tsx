import { useQuery } from '@tanstack/react-query';
import { Plus, X } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';

import { booksApi } from '../../../api/clients.ts';
import type { Playlist, SmartQuery } from '../../../api/types.ts';
import { count } from '../../../lib/format.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Choice, Field, Segments } from '../../../ui/field.tsx';
import { Card, Failure, ListCard } from '../../../ui/page.tsx';
import { useBooksAction } from '../actions.ts';
import { BookLine } from '../book-list.tsx';
import {
  changed,
  comparisons,
  type Draft,
  type DraftCondition,
  draftOf,
  fields,
  inputOf,
  newCondition,
  queryOf,
  queryText,
  states,
  unitOf,
} from './conditions.ts';
import { previewQuery } from './playlist-queries.ts';

const matches = [
  { value: 'all', label: 'Match all conditions' },
  { value: 'any', label: 'Match any condition' },
] as const;

const sorts = [
  { value: 'title', label: 'Title' },
  { value: 'author', label: 'Author' },
  { value: 'added', label: 'Recently added' },
  { value: 'recent', label: 'Recently played' },
] as const;

const CONDITIONS_MAX = 20;

interface SmartBuilderProps {
  readonly playlist: Playlist;
  readonly query: SmartQuery;
}

export function SmartBuilder({ playlist, query }: SmartBuilderProps): ReactNode {
  const [draft, setDraft] = useState(() => draftOf(query));
  const asked = useMemo(() => queryOf(draft), [draft]);
  const save = useBooksAction({
    failed: 'Could not save the conditions',
    done: () => 'Saved',
    run: () => booksApi.PATCH('/playlists/{playlist}', { params: { playlist: playlist.id }, body: { query: asked } }),
  });
  const isChanged = asked !== undefined && JSON.stringify(asked) !== JSON.stringify(queryOf(draftOf(query)));
  return (
    <>
      <Card
        title="Conditions"
        actions={
          <Button variant="primary" disabled={!isChanged} isBusy={save.isPending} onClick={() => save.mutate()}>
            Save conditions
          </Button>
        }
      >
        <ConditionsForm draft={draft} onChange={setDraft} />
      </Card>
      <Preview query={asked} />
    </>
  );
}

interface ConditionsFormProps {
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
}

function ConditionsForm({ draft, onChange }: ConditionsFormProps): ReactNode {
  const { match, conditions, sort, limit } = draft;
  const put = (next: readonly DraftCondition[]): void => onChange({ ...draft, conditions: next });
  return (
    <div className="grid gap-4">
      <Segments
        label="Match"
        value={match}
        options={matches}
        onChange={(next) => onChange({ ...draft, match: next })}
      />
      {conditions.length > 0 && (
        <ul className="grid gap-3" aria-label="Conditions">
          {conditions.map((condition) => (
            <li key={condition.id}>
              <ConditionRow
                condition={condition}
                onChange={(change) =>
                  put(conditions.map((each) => (each === condition ? changed(each, change) : each)))
                }
                onRemove={() => put(conditions.filter((each) => each !== condition))}
              />
            </li>
          ))}
        </ul>
      )}
      <div className="flex flex-wrap items-end gap-3">
        <Button
          icon={Plus}
          disabled={conditions.length >= CONDITIONS_MAX}
          onClick={() => put([...conditions, newCondition()])}
        >
          Add condition
        </Button>
        <Choice label="Sort by" value={sort} options={sorts} onChange={(next) => onChange({ ...draft, sort: next })} />
        <Field
          label="Limit"
          type="number"
          min={1}
          max={10_000}
          placeholder="none"
          className="max-w-28"
          value={limit}
          onChange={(next) => onChange({ ...draft, limit: next })}
        />
      </div>
    </div>
  );
}

const fieldOptions = Object.entries(fields).map(([value, { label }]) => ({ value, label }));

interface ConditionRowProps {
  readonly condition: DraftCondition;
  readonly onChange: (change: Partial<DraftCondition>) => void;
  readonly onRemove: () => void;
}

function ConditionRow({ condition, onChange, onRemove }: ConditionRowProps): ReactNode {
  const { field, op } = condition;
  const ops = (fields[field]?.ops ?? []).map((value) => ({ value, label: comparisons[value] ?? value }));
  const unit = unitOf(condition);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] items-center gap-2 sm:grid-cols-[minmax(0,10rem)_minmax(0,11rem)_minmax(0,1fr)_auto]">
      <Choice
        label="Field"
        isLabelHidden
        value={field}
        options={fieldOptions}
        onChange={(next) => onChange({ field: next })}
      />
      <Choice label="Comparison" isLabelHidden value={op} options={ops} onChange={(next) => onChange({ op: next })} />
      <span className="col-span-2 row-start-2 flex min-w-0 items-center gap-2 sm:col-span-1 sm:row-start-auto">
        {inputOf(condition) === 'state' ? (
          <span className="min-w-0 flex-1">
            <Choice
              label="Value"
              isLabelHidden
              value={condition.value}
              options={states}
              onChange={(next) => onChange({ value: next })}
            />
          </span>
        ) : (
          <Field
            label="Value"
            isLabelHidden
            type={inputOf(condition)}
            dir="auto"
            maxLength={200}
            value={condition.value}
            onChange={(next) => onChange({ value: next })}
          />
        )}
        {unit !== undefined && <span className="text-muted">{unit}</span>}
      </span>
      <span className="row-span-2 sm:row-span-1">
        <IconButton icon={X} label="Remove condition" onClick={onRemove} />
      </span>
    </div>
  );
}

function Preview({ query }: { readonly query: SmartQuery | undefined }): ReactNode {
  const { data, error, refetch } = useQuery(previewQuery(query));
  const books = query === undefined ? [] : (data?.data ?? []);
  const isCut = data !== undefined && data.next_cursor !== null;
  return (
    <ListCard
      title={
        data === undefined || query === undefined
          ? 'Books'
          : `${isCut ? 'More than ' : ''}${count(books.length, 'book')}`
      }
      description={query === undefined ? 'Complete the conditions above.' : queryText(query)}
      label="Books"
      rows={books}
      keyOf={({ id }) => id}
      render={(book) => <BookLine book={book} />}
    >
      {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
    </ListCard>
  );
}
