import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import type { Change, Commit, DatabaseName } from '../api/types.ts';
import { recordsFirst } from '../lib/changes.ts';
import { count } from '../lib/format.ts';
import { Badge } from './badge.tsx';
import { DiffView } from './diff-view.tsx';

const operations = {
  insert: { tone: 'added', word: 'Added' },
  update: { tone: 'changed', word: 'Changed' },
  delete: { tone: 'removed', word: 'Removed' },
} as const;

export function OperationBadge({ operation }: { readonly operation: Change['operation'] }): ReactNode {
  const { tone, word } = operations[operation];
  return <Badge tone={tone}>{word}</Badge>;
}

export function Changes({ commit }: { readonly commit: Commit }): ReactNode {
  const { changes, total, database } = commit;
  return (
    <ul className="grid gap-4">
      {recordsFirst(changes).map((change, at) => (
        <li key={at} className="grid min-w-0 gap-2">
          <div className="flex flex-wrap items-center gap-2">
            <OperationBadge operation={change.operation} />
            <KeyLink name={database} text={change.key} />
          </div>
          <DiffView label={`Changes to ${change.key}`} before={change.before} after={change.after} />
        </li>
      ))}
      {total > changes.length && (
        <li className="text-muted">{count(total - changes.length, 'more change')} not shown</li>
      )}
    </ul>
  );
}

export function KeyLink({ name, text }: { readonly name: DatabaseName; readonly text: string }): ReactNode {
  return (
    <Link
      to="/keys/$name"
      params={{ name }}
      search={{ prefix: folderOf(text), key: text }}
      className="font-mono text-[13px] break-all text-accent-strong underline decoration-line-strong underline-offset-2 hover:decoration-current"
    >
      {text}
    </Link>
  );
}

/** Returns `s/1/task/` for `s/1/task/9`. */
function folderOf(key: string): string {
  return key.slice(0, Math.max(key.lastIndexOf('/'), key.lastIndexOf(':')) + 1);
}
