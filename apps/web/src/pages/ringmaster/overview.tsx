import { useQuery } from '@tanstack/react-query';
import { Network } from 'lucide-react';
import type { ReactNode } from 'react';

import { workspacesQuery } from '../../api/ringmaster-queries.ts';
import { Card } from '../../ui/card.tsx';
import { Command } from '../../ui/copy-button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { WorkspaceCard } from './workspace-card.tsx';
import { usePollInterval } from './use-poll-interval.ts';

export function Overview(): ReactNode {
  const workspaces = useQuery({ ...workspacesQuery, ...usePollInterval() });
  return (
    <Page title="Ringmaster" description="Workers complete tasks in these projects. What needs you comes first.">
      <Loaded query={workspaces}>
        {(all) =>
          all.length === 0 ? (
            <NoWorkspaces />
          ) : (
            all.map((workspace) => <WorkspaceCard key={workspace.id} workspace={workspace} />)
          )
        }
      </Loaded>
    </Page>
  );
}

const firstSteps = [
  'ringmaster init --name "My project"',
  'ringmaster task add "First step" -d "What done means"',
  'ringmaster run',
] as const;

function NoWorkspaces(): ReactNode {
  return (
    <Card isFlush>
      <EmptyState icon={Network} title="No projects yet">
        <p>
          Run these commands in a project directory; the project then appears here. Before the last one, define a worker
          in <code className="font-mono text-[13px]">ringmaster.toml</code>: Claude, OpenAI Codex, aider or any other
          command.
        </p>
        <div className="grid w-[min(26rem,70vw)] gap-2 text-left text-text">
          {firstSteps.map((text) => (
            <Command key={text} text={text} />
          ))}
        </div>
      </EmptyState>
    </Card>
  );
}
