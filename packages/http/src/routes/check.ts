import { z } from 'zod';

import { credentialNames } from '../guards/credential-names.ts';
import type { Permission, RouteContract } from './contract.ts';
import { joinPath, pathFault, pathNames } from './path.ts';
import { isSchema } from './shapes.ts';

const PERMISSION = /^[a-z][a-z0-9-]*(?::[a-z][a-z0-9_-]*)+$/;

export function isPermission(value: unknown): value is Permission {
  return value === 'public' || (typeof value === 'string' && PERMISSION.test(value));
}

/** Describes a contradiction in a route; undefined if there is none. */
export function checkRoute(basePath: string, route: RouteContract): string | undefined {
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
  if (secret !== undefined) return `takes "${secret}" in the address, where credentials are never accepted`;
  const header = Object.keys(request.headers?.shape ?? {}).find((name) => name !== name.toLowerCase());
  return header === undefined ? undefined : `names the header "${header}" with capitals`;
}

function fieldNames(schema: z.ZodType | undefined): string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

function checkBody({ method, permission, request = {}, idempotent }: RouteContract): string | undefined {
  const hasBody = request.body !== undefined || request.upload !== undefined;
  if (method === 'GET' && hasBody) return 'is a GET with a body';
  if (request.body !== undefined && request.upload !== undefined) return 'has both a JSON body and an upload';
  if (idempotent === true && method !== 'POST') return 'is idempotent by its method and takes no Idempotency-Key';
  if (idempotent === true && permission === 'public') return 'cannot remember an answer for nobody in particular';
  if (idempotent === true && request.upload !== undefined) return 'cannot remember an upload by its content';
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
