import type { z } from 'zod';

import { type Statuses, statusOf } from '../problems/status.ts';
import { isBodyOptional } from '../request/optional-body.ts';
import type { AppContract } from '../routes/app.ts';
import type { RouteContract, StandardHeader } from '../routes/contract.ts';
import { pathNames } from '../routes/path.ts';
import { isSchema, type ResponseShape } from '../routes/shapes.ts';
import { operationIdOf } from '../routes/table.ts';
import type { SchemaCollector } from './schemas.ts';
import type { Answer, JsonSchema, Operation, Parameter } from './types.ts';

export function operationOf(
  app: AppContract,
  route: RouteContract,
  statuses: Statuses,
  schemas: SchemaCollector,
): Operation {
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
    optional('Last-Event-ID', 'header', 'Go on after this event');
    optional('since', 'query', 'Like Last-Event-ID, for clients that cannot set headers');
  }
  return parameters;
}

const standardHeaders: Readonly<Record<StandardHeader, string>> = {
  'If-Match': 'The ETag of the version that the request was made for; refused with 412 when there is another by now',
  'If-None-Match': 'The ETag that is known already; the answer is 304 when it is still the same',
  'If-Range': 'The ETag of the version that the range is of; when there is another by now, all of it comes',
  Range: 'One range of bytes',
  Prefer: '`wait=20`: answer when it is done, or after so many seconds',
  'Idempotency-Key': 'A fresh random id; a repetition gets the first answer',
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
  return { required: true, content: Object.fromEntries(upload.types.map((type) => [type, { schema: {} }])) };
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
  if (route.permission !== 'public') {
    answers['401'] ??= { $ref: '#/components/responses/Unauthenticated' };
    answers['403'] ??= { $ref: '#/components/responses/Forbidden' };
  }
  if (route.acceptsHeaders?.includes('If-None-Match') === true)
    answers['304'] ??= { description: 'Still the version that is known' };
  if (route.acceptsHeaders?.includes('Range') === true)
    answers['416'] ??= { description: '`RANGE_NOT_SATISFIABLE`: There are no bytes in this range' };
  answers['default'] = { $ref: '#/components/responses/Problem' };
  return answers;
}

export const problemContent = {
  'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
} as const;

function answerOf(shape: ResponseShape, { summary }: RouteContract, schemas: SchemaCollector): Answer {
  if (isSchema(shape)) {
    return { description: summary, content: { 'application/json': { schema: schemas.received(shape) } } };
  }
  if (shape.carries === 'nothing') return { description: summary };
  if (shape.carries === 'bytes') return { description: summary, content: { [shape.type]: { schema: {} } } };
  const description = `${summary}. Each event has an id to go on from, and \`data\` as described.`;
  return { description, content: { 'text/event-stream': { schema: schemas.received(shape.data) } } };
}
