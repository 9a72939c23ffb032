import { type BoundRequest, httpErrors, routesFor } from '@holdfast/http';

import type { Ringmaster } from '../service/ringmaster.ts';
import type { Workspaces } from '../service/workspaces.ts';

/** Opens the workspace that the path names, with the caller as the actor. */
export function requestWorkspace(
  workspaces: Workspaces,
  { params, principal }: Pick<BoundRequest, 'params' | 'principal'>,
): Promise<Ringmaster> {
  if (principal === undefined) throw httpErrors.UNAUTHENTICATED('Sign in first');
  return workspaces.open(params['workspace'] ?? '', { type: 'person', id: principal.name });
}

export type WorkspaceRoute = ReturnType<typeof workspaceRoutesFor>;

export function workspaceRoutesFor(workspaces: Workspaces) {
  return routesFor<Ringmaster>((request) => requestWorkspace(workspaces, request));
}
