import type { z } from 'zod';

import { httpErrors } from '../errors.ts';
import { Problem, type Statuses, statusOf } from '../problems/problem.ts';
import { isBodyOptional } from '../request/body.ts';
import { isSchema, type ResponseShape, type RouteContract, type StandardHeader } from '../routes/contract.ts';
import { joinPath, openApiPath, pathNames } from '../routes/path.ts';
import type { AppContract } from '../routes/route.ts';
import { operationIdOf } from '../routes/table.ts';
import { systemContracts } from '../server/system.ts';
import {
  type Answer,
  type JsonSchema,
  type OpenApiDocument,
  type Operation,
  type Parameter,
  SchemaCollector,
} from './schemas.ts';

/**
 * Returns the OpenAPI document of all routes, including the built-in ones, generated from the schemas that validate
 * requests. It depends only on the contracts, so a script can write it to a file and a test can check that the file is
 * current.
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
    throw httpErrors.ROUTE_INVALID(
      `${route.method} ${route.path} of ${app.name} has a schema that JSON Schema cannot express`,
      {
        cause,
      },
    );
  }
}

function receivedSchemas({ responses }: RouteContract) {
  return Object.values(responses).flatMap((shape) => {
    if (isSchema(shape)) return [shape];
    return shape.carries === 'events' ? [shape.data] : [];
  });
}

const problemContent = {
  'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
} as const;

const sharedAnswers: Readonly<Record<string, Answer>> = {
  Problem: { description: 'What went wrong and what to do', content: problemContent },
  Unauthenticated: {
    description: '`UNAUTHENTICATED`: the request has no valid session or token',
    headers: { 'WWW-Authenticate': { description: 'How to authenticate', schema: { type: 'string' } } },
    content: problemContent,
  },
  ValidationFailed: {
    description: `\`VALIDATION_FAILED\`: ${httpErrors.VALIDATION_FAILED.definition.means}`,
    content: problemContent,
  },
  Forbidden: {
    description:
      '`FORBIDDEN`: the user or token lacks the permission; `CROSS_ORIGIN_REFUSED`: another site sent the request',
    content: problemContent,
  },
};

const securitySchemes = {
  session: { type: 'apiKey', in: 'cookie', name: 'session', description: 'Set at sign-in; `__Host-` prefix over TLS' },
  token: { type: 'http', scheme: 'bearer', description: 'From `holdfast token create`' },
} as const;

function operationOf(app: AppContract, route: RouteContract, statuses: Statuses, schemas: SchemaCollector): Operation {
  const parameters = parametersOf(route, schemas);
  const body = bodyOf(route, schemas);
  return {
    operationId: operationIdOf(app.name, route),
    summary: route.summary,
    ...(route.description !== undefined && { description: route.description }),
    tags: [app.name],
    security: route.permission === 'public' ? [] : [{ session: [] }, { token: [] }],
    'x-permission': route.permission,
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && { requestBody: body }),
    responses: responsesOf(route, statuses, schemas),
  };
}

function parametersOf(
  { path, request = {}, responses, idempotent, acceptsHeaders = [] }: RouteContract,
  schemas: SchemaCollector,
): Parameter[] {
  const parameters: Parameter[] = [];
  if (request.params === undefined) {
    for (const name of pathNames(path))
      parameters.push({ name, in: 'path', required: true, schema: { type: 'string' } });
  } else parameters.push(...objectParameters(request.params, 'path', schemas));
  parameters.push(...objectParameters(request.query, 'query', schemas));
  parameters.push(...objectParameters(request.headers, 'header', schemas));
  const optional = (name: string, where: 'query' | 'header', description: string): void => {
    parameters.push({ name, in: where, required: false, description, schema: { type: 'string' } });
  };
  const headers = new Set<StandardHeader>(
    idempotent === true ? [...acceptsHeaders, 'Idempotency-Key'] : acceptsHeaders,
  );
  for (const header of headers) optional(header, 'header', standardHeaders[header]);
  if (Object.values(responses).some((shape) => !isSchema(shape) && shape.carries === 'events')) {
    optional('Last-Event-ID', 'header', 'Resume after this event');
    optional('since', 'query', 'Like Last-Event-ID, for clients that cannot set headers');
  }
  return parameters;
}

const standardHeaders: Readonly<Record<StandardHeader, string>> = {
  'If-Match': 'ETag of the version to change; the answer is 412 if it has changed since',
  'If-None-Match': 'ETag that the client already has; the answer is 304 if it is still current',
  'If-Range': 'ETag of the version that the range belongs to; if it has changed since, the answer is the whole content',
  Range: 'A single byte range',
  Prefer: '`wait=20`: answer when the operation is done, or after 20 seconds',
  'Idempotency-Key': 'New random id for each request; repeating a request returns the first answer',
};

function objectParameters(
  schema: z.ZodType | undefined,
  where: Parameter['in'],
  schemas: SchemaCollector,
): readonly Parameter[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = schemas.sent(schema) as {
    readonly properties?: Readonly<Record<string, JsonSchema>>;
    readonly required?: readonly string[];
  };
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    ...(typeof description === 'string' && { description }),
    schema: rest,
  }));
}

function bodyOf({ request = {} }: RouteContract, schemas: SchemaCollector): Operation['requestBody'] {
  const { body, upload } = request;
  if (body !== undefined) {
    return { required: !isBodyOptional(body), content: { 'application/json': { schema: schemas.sent(body) } } };
  }
  if (upload === undefined) return undefined;
  return { required: true, content: anyBytes(upload.types) };
}

function anyBytes(types: readonly string[]): NonNullable<Answer['content']> {
  return Object.fromEntries(types.map((type) => [type, { schema: {} }]));
}

function responsesOf(route: RouteContract, statuses: Statuses, schemas: SchemaCollector): Operation['responses'] {
  const answers: Record<string, Answer | { readonly $ref: string }> = {};
  for (const [status, shape] of Object.entries(route.responses)) answers[status] = answerOf(shape, route, schemas);
  const codesByStatus = new Map<number, string[]>();
  for (const { code, definition } of route.errors ?? []) {
    const status = statusOf(code, definition.kind, statuses);
    codesByStatus.set(status, [...(codesByStatus.get(status) ?? []), `\`${code}\`: ${definition.means}`]);
  }
  for (const [status, codes] of codesByStatus)
    answers[status] = { description: codes.join('\n\n'), content: problemContent };
  if (route.request !== undefined || pathNames(route.path).length > 0)
    answers['422'] ??= { $ref: '#/components/responses/ValidationFailed' };
  if (route.permission !== 'public') {
    answers['401'] ??= { $ref: '#/components/responses/Unauthenticated' };
    answers['403'] ??= { $ref: '#/components/responses/Forbidden' };
  }
  if (route.acceptsHeaders?.includes('If-None-Match') === true)
    answers['304'] ??= { description: 'The version that the client has is still current' };
  if (route.acceptsHeaders?.includes('Range') === true)
    answers['416'] ??= { description: '`RANGE_NOT_SATISFIABLE`: the range contains no bytes' };
  answers['default'] = { $ref: '#/components/responses/Problem' };
  return answers;
}

function answerOf(shape: ResponseShape, { summary }: RouteContract, schemas: SchemaCollector): Answer {
  if (isSchema(shape)) {
    return { description: summary, content: { 'application/json': { schema: schemas.received(shape) } } };
  }
  if (shape.carries === 'nothing') return { description: summary };
  if (shape.carries === 'bytes') return { description: summary, content: anyBytes(shape.types) };
  const description = `${summary}. Each event has an id to resume from, and \`data\` with this schema.`;
  return { description, content: { 'text/event-stream': { schema: schemas.received(shape.data) } } };
}
