import { z } from 'zod';

import { httpErrors } from '../errors.ts';
import { credentialNames } from '../request/query.ts';
import { isSchema, type Method, type Permission, type RouteContract } from './contract.ts';
import { joinPath, pathFault, pathForm, pathNames } from './path.ts';
import { prepareRaw, type RawRoute } from './raw.ts';
import type { AppContract } from './route.ts';

/** One line of the route table, from which the permission test is generated. */
export interface RouteEntry {
  readonly app: string;
  readonly method: Method | 'ALL';
  /** The whole path, including the base path. */
  readonly path: string;
  readonly permission: Permission;
  readonly operationId: string;
  readonly kind: 'route' | 'raw' | 'page' | 'file';
}

/** Returns all routes of all applications. Throws if a permission is missing or routes contradict each other. */
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
  // JavaScript code or a cast can omit the permission, although the types require it.
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

const PERMISSION = /^[a-z][a-z0-9-]*(?::[a-z][a-z0-9_-]*)+$/;

function isPermission(value: unknown): value is Permission {
  return value === 'public' || (typeof value === 'string' && PERMISSION.test(value));
}

/** Describes a contradiction in a route; undefined if there is none. */
function checkRoute(basePath: string, route: RouteContract): string | undefined {
  const path = joinPath(basePath, route.path);
  const fault = pathFault(path);
  if (fault !== undefined) return fault;
  return checkParameters(path, route) ?? checkBody(route) ?? checkResponses(route);
}

function checkParameters(path: string, { request = {} }: RouteContract): string | undefined {
  if (request.params !== undefined) {
    const declared = fieldNames(request.params).sort().join(', ');
    const named = [...pathNames(path)].sort().join(', ');
    if (declared !== named) return `has parameters (${named}) in its path but (${declared}) in its schema`;
  }
  const secret = fieldNames(request.query).find((name) => credentialNames.has(name.toLowerCase()));
  if (secret !== undefined) return `takes "${secret}" in the URL, where credentials are never accepted`;
  const header = Object.keys(request.headers?.shape ?? {}).find((name) => name !== name.toLowerCase());
  return header === undefined ? undefined : `names the header "${header}" with upper-case letters`;
}

function fieldNames(schema: z.ZodType | undefined): string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

function checkBody({ method, permission, request = {}, idempotent }: RouteContract): string | undefined {
  const hasBody = request.body !== undefined || request.upload !== undefined;
  if (method === 'GET' && hasBody) return 'is a GET with a body';
  if (request.body !== undefined && request.upload !== undefined) return 'has both a JSON body and an upload';
  if (idempotent === true && method !== 'POST')
    return 'is idempotent by its method and must not take an Idempotency-Key';
  if (idempotent === true && permission === 'public')
    return 'is public and cannot take an Idempotency-Key, which belongs to a user';
  if (idempotent === true && request.upload !== undefined) return 'is an upload and cannot take an Idempotency-Key';
  return undefined;
}

function checkResponses({ responses }: RouteContract): string | undefined {
  const statuses = Object.keys(responses).map(Number);
  if (statuses.length === 0) return 'declares no response';
  const wrong = statuses.find((status) => status < 200 || status > 399);
  if (wrong !== undefined) return `declares ${wrong}: errors are thrown, and documented with \`errors\``;
  const body = [204, 205, 304].find((status) => responses[status] !== undefined && isSchema(responses[status]));
  return body === undefined ? undefined : `declares a body for ${body}`;
}
