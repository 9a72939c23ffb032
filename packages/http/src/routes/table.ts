import { httpErrors } from '../errors.ts';
import type { AppContract } from './app.ts';
import { checkRoute, isPermission } from './check.ts';
import type { Method, Permission, RouteContract } from './contract.ts';
import { joinPath, pathForm } from './path.ts';
import { prepareRaw, type RawRoute } from './raw.ts';

/** One line of the route table, from which the permission test is generated. */
export interface RouteEntry {
  readonly app: string;
  readonly method: Method | 'ALL';
  /** The whole path, with base path. */
  readonly path: string;
  readonly permission: Permission;
  readonly operationId: string;
  readonly kind: 'route' | 'raw' | 'page' | 'file';
}

/** Returns all routes of all applications. Throws for a missing permission or a contradiction. */
export function routeTable(apps: readonly AppContract[]): readonly RouteEntry[] {
  const entries = apps.flatMap((app) => [
    ...app.routes.map((route) => routeEntry(app, route)),
    ...(app.raw ?? []).flatMap((mount) => prepareRaw(app.basePath, mount).routes.map((raw) => rawEntry(app.name, raw))),
  ]);
  refuseTwins(entries);
  return entries;
}

export function operationIdOf(app: string, route: RouteContract): string {
  if (route.operationId !== undefined) return route.operationId;
  const words = route.path.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  return [app, route.method.toLowerCase(), ...words].join('_');
}

function routeEntry(app: AppContract, route: RouteContract): RouteEntry {
  const path = joinPath(app.basePath, route.path);
  const { method, permission } = route;
  // Plain JavaScript or a cast can omit what the types require.
  if (!isPermission(permission)) throw withoutPermission(`${method} ${path} of ${app.name}`);
  const fault = checkRoute(app.basePath, route);
  if (fault !== undefined) throw httpErrors.ROUTE_INVALID(`${method} ${path} of ${app.name} ${fault}`);
  return { app: app.name, method, path, permission, operationId: operationIdOf(app.name, route), kind: 'route' };
}

function rawEntry(app: string, { method, path, permission }: RawRoute): RouteEntry {
  if (isPermission(permission)) return { app, method, path, permission, operationId: '', kind: 'raw' };
  throw withoutPermission(`${method} ${path}, mounted raw by ${app},`);
}

function withoutPermission(which: string): Error {
  return httpErrors.ROUTE_WITHOUT_PERMISSION(`${which} declares no permission`);
}

function refuseTwins(entries: readonly RouteEntry[]): void {
  const seen = new Map<string, RouteEntry>();
  for (const entry of entries) {
    if (entry.kind === 'raw') continue;
    for (const key of [`${entry.method} ${pathForm(entry.path)}`, `operation id ${entry.operationId}`]) {
      const twin = seen.get(key);
      if (twin !== undefined) throw httpErrors.ROUTE_INVALID(`${key} exists twice: ${twin.app} and ${entry.app}`);
      seen.set(key, entry);
    }
  }
}
