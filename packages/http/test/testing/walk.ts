import type { Method } from '../../src/routes/contract.ts';
import type { RouteEntry } from '../../src/routes/table.ts';
import type { Server } from '../../src/server/server.ts';

/** A role, and the headers that authenticate its requests. A visitor who is not signed in has no headers. */
export interface WalkingRole {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined for a visitor who is not signed in. */
  readonly permissions: ReadonlySet<string> | undefined;
}

export interface WalkStep {
  readonly role: WalkingRole;
  readonly entry: RouteEntry;
  /** `passes` means any status except 401 and 403: the request is empty, so the route may still reject it. */
  readonly expected: 401 | 403 | 'passes';
}

/** Pairs every route with every role, for `it.each(accessMatrix(server.routes, roles))`. */
export function accessMatrix(routes: readonly RouteEntry[], roles: readonly WalkingRole[]): readonly WalkStep[] {
  return routes.flatMap((entry) => roles.map((role) => ({ role, entry, expected: expectedFor(entry, role) })));
}

/** Sends the step's request; returns the result in the form of `expected`. */
export async function walk(server: Server, { role, entry }: WalkStep): Promise<401 | 403 | 'passes'> {
  const origin = server.origins.all[0] ?? '';
  const method: Method = entry.method === 'ALL' ? 'GET' : entry.method;
  const target = `${origin}${entry.path.replace(/\{\w+\+?\}|:\w+(?:\{[^}]*\})?|\*/g, 'x')}`;
  const response = await server.request(target, { method, headers: { origin, ...role.headers } });
  const { status } = response;
  await response.body?.cancel();
  return status === 401 || status === 403 ? status : 'passes';
}

function expectedFor({ permission }: RouteEntry, { permissions }: WalkingRole): WalkStep['expected'] {
  if (permission === 'public') return 'passes';
  if (permissions === undefined) return 401;
  return permissions.has(permission) ? 'passes' : 403;
}
