import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FilePlus, Rows3, Search } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';

import { notebooksQuery, notebookStatusQuery, recentQuery } from '../../api/codex-queries.ts';
import { Badge } from '../../ui/badge.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { authorOf } from '../queue/describe-operation.ts';
import { recentChanges } from './recent-changes.ts';
import { describeStatus } from './describe-status.ts';
import { Problems } from './problems.tsx';

/** Start page of a notebook: its status and recent changes. */
export function NotebookOverview({ id }: { readonly id: string }): ReactNode {
  const notebooks = useQuery(notebooksQuery);
  const notebook = notebooks.data?.find((each) => String(each.id) === id);
  return (
    <Page
      title={notebook?.name ?? 'Notebook'}
      description={
        notebook !== undefined && (
          <span className="flex items-center">
            <span className="min-w-0 font-mono text-xs break-all">{notebook.path}</span>
            <CopyButton text={notebook.path} label="Copy folder path" />
          </span>
        )
      }
      actions={
        <div className="flex flex-wrap gap-2">
          <Link to="/notebooks/$id/search" params={{ id }} className={buttonClass('plain', 'small')}>
            <Search className="size-3.5" aria-hidden />
            Search
          </Link>
          <Link to="/queue" search={{ notebook: id }} className={buttonClass('plain', 'small')}>
            <Rows3 className="size-3.5" aria-hidden />
            Queue
          </Link>
        </div>
      }
    >
      <Loaded query={notebooks}>
        {() =>
          notebook === undefined ? (
            <p className="text-muted">This notebook does not exist. It may have been removed.</p>
          ) : (
            <>
              <Status id={id} />
              <Lately id={id} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

function Status({ id }: { readonly id: string }): ReactNode {
  const status = useQuery(notebookStatusQuery(id));
  return (
    <Loaded query={status}>
      {(found) => {
        const { tone, word, says } = describeStatus(found);
        return (
          <div className="grid gap-3 rounded-xl border border-line bg-surface p-5">
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <Badge tone={tone}>{word}</Badge>
              <span className="min-w-0 break-words">{says}</span>
            </p>
            <Problems id={id} status={found} />
          </div>
        );
      }}
    </Loaded>
  );
}

function Lately({ id }: { readonly id: string }): ReactNode {
  const recent = useQuery(recentQuery(id));
  const files = useMemo(() => recentChanges(recent.data ?? []), [recent.data]);
  return (
    <Card title="Recent changes" isFlush>
      <Loaded query={recent}>
        {() =>
          files.length === 0 ? (
            <EmptyState icon={FilePlus} title="No recent changes">
              <p>Create a note here, or edit the files with any program. Changes appear at once.</p>
            </EmptyState>
          ) : (
            <ul className="divide-y divide-line border-t border-line">
              {files.map(({ fileId, path, at, author }) => (
                <li key={fileId}>
                  <Link
                    to="/notebooks/$id/files/$file"
                    params={{ id, file: fileId }}
                    className="flex flex-wrap items-baseline gap-x-4 px-5 py-2.5 -outline-offset-2 hover:bg-sunken"
                  >
                    <span className="min-w-0 flex-1 basis-48 font-medium break-words">{path}</span>
                    <span className="text-[13px] text-muted">
                      {authorOf(author)} · <Time at={at} />
                    </span>
                  </Link>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}
