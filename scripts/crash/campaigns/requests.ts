import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { SECOND } from '@holdfast/base';

import { type Campaign, type Context, type Counts, noCounts, violate } from '../lib/campaign.ts';
import { type ServedHome, serveHome } from '../lib/served-home.ts';
import type { Random } from '../../../packages/sqlite/test/random.ts';

/**
 * Sends requests that are generated from docs/openapi.json to a real server, with the roles viewer, user and
 * administrator. A cycle is one request.
 *
 * - lost: the server ended
 * - phantom: the server answered with a status of 500 or above that the document does not list
 * - partial: a request was not answered within a minute, or the memory of the server grew
 */
export const requests: Campaign = {
  name: 'requests',
  promise: 'no request makes the server fail, hang or grow',
  cycles: 100_000,
  failpoints: [],
  async run(context) {
    const counts = noCounts();
    const operations = readOperations();
    const server = await serveHome(join(context.folder, 'home'));
    let warm = 0;
    try {
      while (counts.cycles < context.cycles && !context.isTimeUp() && server.isRunning()) {
        await Promise.all(Array.from({ length: LANES }, () => send(context, server, operations, counts)));
        if (counts.cycles < context.cycles / 4) warm = server.memoryMiB();
        if (counts.cycles % 1_000 < LANES) context.progress(`${counts.cycles} requests, ${server.memoryMiB()} MiB`);
      }
      if (!server.isRunning()) violate(counts, 'lost', 'the server ended');
      else if (server.memoryMiB() > warm + GROWTH_MAX_MIB && counts.cycles > WARM_UP) {
        violate(counts, 'partial', `the memory grew from ${warm} to ${server.memoryMiB()} MiB`);
      }
    } finally {
      await server.stop();
    }
    return counts;
  },
};

const LANES = 4;
const WARM_UP = 20_000;
const GROWTH_MAX_MIB = 96;
const TIMEOUT_MS = 60 * SECOND;
/** Routes that the campaign does not call, because they would end its own access or wait for minutes. */
const EXCLUDED =
  /^\/api\/account\/(?:password|sessions)|\/restore$|\/(?:wait|reconcile)$|^\/api\/users|^\/audiobookshelf/u;
/** Parameters that make the server wait for minutes. */
const WAITING: ReadonlySet<string> = new Set(['wait', 'Prefer', 'after_event']);

interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
}

interface Documented {
  readonly parameters?: readonly { name: string; in: string; required?: boolean; schema?: Schema }[];
  readonly requestBody?: { content: Readonly<Record<string, { schema?: Schema }>> };
  readonly responses: Readonly<Record<string, unknown>>;
}

interface Operation extends Documented {
  readonly method: string;
  readonly path: string;
}

function readOperations(): readonly Operation[] {
  const { paths } = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as {
    paths: Readonly<Record<string, Readonly<Record<string, Documented>>>>;
  };
  return Object.entries(paths)
    .filter(([path]) => !EXCLUDED.test(path))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method: method.toUpperCase() })),
    );
}

async function send(
  { random }: Context,
  { url, tokens }: ServedHome,
  operations: readonly Operation[],
  counts: Counts,
): Promise<void> {
  counts.cycles += 1;
  const operation = random.of(operations);
  const role = random.of(['viewer', 'user', 'admin'] as const);
  const { address, headers, body } = requestFor(random, operation);
  const what = `${role} ${operation.method} ${address} ${body ?? ''}`.slice(0, 600);
  try {
    const answer = await fetch(url + address, {
      method: operation.method,
      headers: { authorization: `Bearer ${tokens[role]}`, ...headers },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body === undefined ? {} : { body }),
    });
    const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true;
    const text = isStream ? '' : await answer.text();
    if (isStream) await answer.body?.cancel();
    counts.acknowledged += 1;
    const isDocumented = Object.hasOwn(operation.responses, String(answer.status));
    if (answer.status >= 500 && !isDocumented) {
      violate(counts, 'phantom', `${what}: ${answer.status} ${text.slice(0, 300)}`);
    }
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : '';
    violate(counts, 'partial', `${what}: ${String(error)}${cause}`);
  }
}

function requestFor(random: Random, { path, method, parameters = [], requestBody }: Operation) {
  const query = new URLSearchParams();
  const headers: Record<string, string> = {};
  let address = path;
  for (const { name, in: where, required = false, schema = {} } of parameters) {
    if (!required && (WAITING.has(name) || random.next() < 0.5)) continue;
    const value = textOf(valueOf(random, schema));
    if (where === 'path') address = address.replace(`{${name}}`, encodeURIComponent(value.slice(0, 500)) || 'x');
    else if (where === 'query') query.append(name, value.slice(0, 2_000));
    else headers[name] = value.replaceAll(/[^\x20-\x7e]/g, '').slice(0, 200);
  }
  const schema = requestBody?.content['application/json']?.schema;
  const isBody = method !== 'GET' && requestBody !== undefined;
  if (isBody) headers['content-type'] = schema === undefined ? 'application/octet-stream' : 'application/json';
  const body = isBody ? JSON.stringify(valueOf(random, schema ?? {})) : undefined;
  return { address: query.size === 0 ? address : `${address}?${query.toString()}`, headers, body };
}

const ODD = [
  '',
  '0',
  '-1',
  '1e999',
  '../..',
  '%00',
  'constructor',
  '__proto__',
  '\u{1f4a9}',
  '\ud800',
  'a'.repeat(3_000),
  '*',
  '"r1"',
  'null',
  '2026-13-45T99:99:99Z',
  '01ARZ3NDEKTSV4RRFFQ69G5FAV',
  'np',
  'bd-1',
  '1',
];

/** Returns a value that usually fits the schema. */
function valueOf(random: Random, schema: Schema, depth = 0): unknown {
  if (random.next() < 0.1 || depth > 6) return random.of([null, true, -1, 1.5, 2 ** 53, [], {}, ...ODD]);
  if (schema.enum !== undefined) return random.of(schema.enum);
  if (schema.anyOf !== undefined) return valueOf(random, random.of(schema.anyOf), depth + 1);
  const { type } = schema;
  const kind = typeof type === 'string' ? type : random.of(type ?? ['string', 'object', 'array']);
  if (kind === 'integer' || kind === 'number') return random.of([0, 1, 2, 10, -1, 2 ** 31, 1e15]);
  if (kind === 'boolean') return random.next() < 0.5;
  if (kind === 'null') return null;
  if (kind === 'array') {
    return Array.from({ length: random.below(4) }, () => valueOf(random, schema.items ?? {}, depth + 1));
  }
  if (kind !== 'object') return random.next() < 0.5 ? `text ${random.below(50)}` : random.of(ODD);
  const wanted = Object.entries(schema.properties ?? {}).filter(
    ([name]) => schema.required?.includes(name) === true || random.next() < 0.4,
  );
  return Object.fromEntries(wanted.map(([name, field]) => [name, valueOf(random, field, depth + 1)]));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.toWellFormed() : JSON.stringify(value);
}
