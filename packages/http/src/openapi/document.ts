import { httpErrors } from '../errors.ts';
import { Problem } from '../problems/problem.ts';
import type { Statuses } from '../problems/status.ts';
import type { AppContract } from '../routes/app.ts';
import type { RouteContract } from '../routes/contract.ts';
import { joinPath, openApiPath } from '../routes/path.ts';
import { isSchema } from '../routes/shapes.ts';
import { systemContracts } from '../server/system-contracts.ts';
import { operationOf, problemContent } from './operation.ts';
import { SchemaCollector } from './schemas.ts';
import type { Answer, OpenApiDocument, Operation } from './types.ts';

/**
 * Returns the OpenAPI document of all routes, including those of every server, from the schemas that validate them. It
 * depends only on the contracts, so a script can write it to a file and a test can compare the two.
 */
export function openApiDocument(
  apps: readonly AppContract[],
  info: { readonly title: string; readonly version: string },
): OpenApiDocument {
  const schemas = new SchemaCollector();
  const all = [systemContracts, ...apps];
  const routes = all.flatMap((app) => app.routes.map((route) => ({ app, route })));
  schemas.received(Problem);
  for (const { route } of routes) for (const schema of receivedSchemas(route)) schemas.prepare(schema);
  const paths: Record<string, Record<string, Operation>> = {};
  for (const { app, route } of routes) {
    const path = openApiPath(joinPath(app.basePath, route.path));
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: described(app, route, app.statuses ?? {}, schemas) };
  }
  return {
    openapi: '3.1.0',
    info: { title: info.title, version: info.version },
    tags: [...new Set(all.map(({ name }) => name))].map((name) => ({ name })),
    paths,
    components: { schemas: schemas.all, responses: sharedAnswers, securitySchemes },
  };
}

function described(app: AppContract, route: RouteContract, statuses: Statuses, schemas: SchemaCollector): Operation {
  try {
    return operationOf(app, route, statuses, schemas);
  } catch (cause) {
    throw httpErrors.ROUTE_INVALID(`${route.method} ${route.path} of ${app.name} has a schema that JSON cannot carry`, {
      cause,
    });
  }
}

function receivedSchemas({ responses }: RouteContract) {
  return Object.values(responses).flatMap((shape) => {
    if (isSchema(shape)) return [shape];
    return shape.carries === 'events' ? [shape.data] : [];
  });
}

const sharedAnswers: Readonly<Record<string, Answer>> = {
  Problem: { description: 'What went wrong, and what to do about it', content: problemContent },
  Unauthenticated: {
    description: '`UNAUTHENTICATED`: no valid session or token came with the request',
    headers: { 'WWW-Authenticate': { description: 'How to authenticate', schema: { type: 'string' } } },
    content: problemContent,
  },
  Forbidden: {
    description: '`FORBIDDEN`: the user or token lacks the permission; `CROSS_ORIGIN_REFUSED`: sent by another site',
    content: problemContent,
  },
};

const securitySchemes = {
  session: { type: 'apiKey', in: 'cookie', name: 'session', description: 'Set at sign-in; `__Host-` prefix over TLS' },
  token: { type: 'http', scheme: 'bearer', description: 'From `holdfast token create`' },
} as const;
