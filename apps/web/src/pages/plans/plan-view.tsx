import { useQuery } from '@tanstack/react-query';
import { FileJson, FileText } from 'lucide-react';
import type { ReactNode } from 'react';

import { npApi } from '../../api/clients.ts';
import { planQuery } from '../../api/np-queries.ts';
import type { Plan } from '../../api/types.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { PlanEvents } from './plan-events.tsx';
import { SessionBadge } from './plan-row.tsx';
import { PlanTasks } from './plan-tasks.tsx';
import { Progress } from './progress.tsx';

export function PlanView({ sid }: { readonly sid: string }): ReactNode {
  const plan = useQuery(planQuery(sid));
  const title = plan.data === undefined ? 'Plan' : (plan.data.goal?.title ?? 'No goal yet');
  return (
    <div className="mx-auto grid w-full max-w-6xl grid-cols-[minmax(0,1fr)] gap-3">
      <BackLink to="/plans">All plans</BackLink>
      <Page
        title={title}
        description={
          <span dir="auto" className="block text-left whitespace-pre-wrap">
            {plan.data?.goal?.description}
          </span>
        }
        actions={plan.data !== undefined && <Export sid={sid} />}
      >
        <Loaded query={plan}>
          {(found) => (
            <>
              <Facts plan={found} />
              <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
                <PlanTasks plan={found} />
                <PlanEvents sid={sid} />
              </div>
            </>
          )}
        </Loaded>
      </Page>
    </div>
  );
}

function Export({ sid }: { readonly sid: string }): ReactNode {
  const address = (format: 'md' | 'json'): string =>
    npApi.url('/sessions/{sid}/export', { params: { sid }, query: { format } });
  return (
    <div className="flex flex-wrap gap-2">
      <a href={address('md')} download className={buttonClass('plain', 'small')}>
        <FileText className="size-3.5" aria-hidden />
        Export as Markdown
      </a>
      <a href={address('json')} download className={buttonClass('plain', 'small')}>
        <FileJson className="size-3.5" aria-hidden />
        Export as JSON
      </a>
    </div>
  );
}

function Facts({ plan: { session, counts } }: { readonly plan: Plan }): ReactNode {
  const ended = session.archived_at;
  return (
    <div className="grid gap-4 rounded-xl border border-line bg-surface p-5">
      <Progress counts={counts} />
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2 text-[13px] text-muted">
        <SessionBadge state={session.state} />
        <span className="flex min-w-0 items-center">
          <span className="min-w-0 font-mono text-xs break-all">{session.dir_path}</span>
          <CopyButton text={session.dir_path} label="Copy directory path" />
        </span>
        <span>
          Started <Time at={session.created_at} />
        </span>
        <span>
          {ended === null ? 'Changed ' : 'Archived '}
          <Time at={ended ?? session.last_updated_at} />
        </span>
        <span className="flex items-center">
          <span className="font-mono text-xs break-all">{session.sid}</span>
          <CopyButton text={session.sid} label="Copy session id" />
        </span>
      </div>
    </div>
  );
}
