import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useCallback, useState } from 'react';

import { booksApi } from '../../../api/clients.ts';
import { groupsQuery } from '../../../api/audiobooks-queries.ts';
import { useAction } from '../../../api/use-action.ts';
import { count } from '../../../lib/format.ts';
import { randomKey } from '../../../lib/random-key.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { SearchBox } from '../../../ui/search-box.tsx';

interface MergeGroupDialogProps {
  readonly kind: 'authors' | 'series';
  readonly group: { readonly id: string; readonly name: string };
  readonly onClose: () => void;
}

const SHOWN = 20;
const words = { authors: 'author', series: 'series' } as const;

/** Merges two names for the same author or series. The operation can be undone. */
export function MergeGroupDialog({ kind, group, onClose }: MergeGroupDialogProps): ReactNode {
  const [q, setQ] = useState('');
  const [chosen, setChosen] = useState<string>();
  const { data } = useInfiniteQuery(groupsQuery(kind, q));
  const others = (data?.pages[0]?.data ?? []).filter(({ id }) => id !== group.id).slice(0, SHOWN);
  const search = useCallback((next: string) => setQ(next), []);
  const merge = useAction({
    failed: `Could not merge the ${words[kind]}`,
    done: () => 'Merged. You can undo this on the Operations page.',
    touches: ['audiobooks'],
    run: async (): Promise<void> => {
      const request = { body: { others: chosen === undefined ? [] : [chosen] }, idempotencyKey: randomKey() };
      if (kind === 'authors')
        await booksApi.POST('/authors/{author}/merge', { params: { author: group.id }, ...request });
      else await booksApi.POST('/series/{series}/merge', { params: { series: group.id }, ...request });
    },
  });
  return (
    <Dialog
      title={`Merge into ${group.name}`}
      description={`Select the other ${words[kind]}. Its books move here, and its name becomes an alias.`}
      isOpen
      onClose={onClose}
    >
      <div className="grid gap-4">
        <SearchBox label={`Search ${kind}`} value={q} onChange={search} />
        <fieldset className="grid max-h-72 gap-1 overflow-y-auto">
          <legend className="sr-only">The other {words[kind]}</legend>
          {others.map(({ id, name, books }) => (
            <label key={id} className="flex cursor-pointer items-center gap-3 rounded-lg px-3 py-2 hover:bg-sunken">
              <input
                type="radio"
                name="other"
                className="accent-(--accent)"
                checked={chosen === id}
                onChange={() => setChosen(id)}
              />
              <span dir="auto" className="min-w-0 flex-1 break-words">
                {name}
              </span>
              <span className="text-[13px] text-muted tabular-nums">{count(books, 'book')}</span>
            </label>
          ))}
          {others.length === 0 && <p className="px-3 text-muted">No matching names</p>}
        </fieldset>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            disabled={chosen === undefined}
            isBusy={merge.isPending}
            onClick={() => merge.mutate(undefined, { onSuccess: onClose })}
          >
            Merge {kind}
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  );
}
