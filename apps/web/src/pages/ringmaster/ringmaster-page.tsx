import { useParams } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';

import { followStream } from '../../live/streams.ts';
import { Overview } from './overview.tsx';
import { workspaceStream } from './workspace-stream.ts';
import { WorkspaceView } from './workspace-view.tsx';
import { TaskView } from './task-view.tsx';

interface Params {
  readonly workspace?: string;
  readonly view?: string;
  readonly id?: string;
}

export function Component(): ReactNode {
  const { workspace, view, id }: Params = useParams({ strict: false });
  useEffect(
    () => (workspace === undefined ? undefined : followStream(workspaceStream(workspace), 'page')),
    [workspace],
  );
  if (workspace === undefined) return <Overview />;
  return id === undefined ? (
    <WorkspaceView key={workspace} workspace={workspace} view={view ?? 'board'} />
  ) : (
    <TaskView key={`${workspace} ${id}`} workspace={workspace} id={id} />
  );
}
