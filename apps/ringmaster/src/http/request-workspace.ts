import { httpErrors, type Principal } from '@holdfast/http';

import { nulIn } from '../model/texts.ts';
import type { Workspaces } from '../service/workspaces.ts';
import type { Ringmaster } from '../service/ringmaster.ts';

interface WorkspaceRequest {
  readonly params: { readonly workspace: string };
  readonly principal: Principal;
  readonly query?: unknown;
  readonly body?: unknown;
}

/** Opens the workspace of the request, with the caller as the actor. */
export function requestWorkspace(workspaces: Workspaces, request: WorkspaceRequest): Promise<Ringmaster> {
  refuseNul(request);
  return workspaces.open(request.params.workspace, { type: 'person', id: request.principal.name });
}

/** No stored text may contain NUL; checked here once instead of in every schema. */
function refuseNul({ params, query, body }: WorkspaceRequest): void {
  for (const [part, value] of Object.entries({ params, query, body })) {
    const path = nulIn(value);
    if (path === undefined) continue;
    const message = 'has a NUL character, which cannot be stored';
    const details = { errors: [{ in: part, path, code: 'invalid_format', message }] };
    throw httpErrors.VALIDATION_FAILED(`${part}${path}: ${message}`, { details });
  }
}

export const readPermission = 'app:ringmaster:read';
export const writePermission = 'app:ringmaster:write';
/** Project settings name commands that run on this machine, so they need more than write access. */
export const managePermission = 'app:ringmaster:admin';
