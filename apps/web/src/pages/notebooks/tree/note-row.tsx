import { type ReactNode, useEffect } from 'react';

import { reasonOf } from '../../../lib/reason.ts';
import type { TreeRow } from './tree-rows.ts';
import type { NotebookTree } from './tree-store.ts';

interface NoteRowProps {
  readonly row: Extract<TreeRow, { readonly type: 'note' }>;
  readonly tree: NotebookTree;
}

/** The end of a folder that is not read to its end, or has nothing in it. Whoever sees it wants the rest. */
export function NoteRow({ row: { level, folder, says }, tree }: NoteRowProps): ReactNode {
  const read = tree.state.get().folders.get(folder);
  const entries = read?.entries.length ?? 0;
  useEffect(() => {
    if (says === 'reading') void tree.more(folder);
  }, [tree, folder, says, entries]);
  return (
    <div
      role="treeitem"
      aria-level={level}
      aria-selected={false}
      tabIndex={-1}
      style={{ paddingLeft: 26 + (level - 1) * 14 }}
      className="flex h-8 items-center gap-2 truncate text-[13px] text-muted"
    >
      {says === 'reading' && 'Reading …'}
      {says === 'empty' && 'Nothing in here'}
      {says === 'failed' && (
        <>
          <span className="truncate text-bad">{reasonOf(read?.error).title}</span>
          <button type="button" className="underline" onClick={() => tree.retry(folder)}>
            Try again
          </button>
        </>
      )}
    </div>
  );
}
