import { createLogger, createServer, openApiDocument, type Principal, type Server } from '@holdfast/http';
import { undocumented } from '@holdfast/http/testing';
import { onTestFinished } from 'vitest';

import { codexApp } from '../src/http/index.ts';
import { type Harness, type HarnessOptions, openHarness } from './harness.ts';

const permissions = {
  reader: ['app:codex:read'],
  ada: ['app:codex:read', 'app:codex:write'],
  admin: ['app:codex:read', 'app:codex:write', 'app:codex:admin'],
} as const;

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly headers: Headers;
}

export interface Served extends Harness {
  readonly server: Server;
  /** Sends the request as ada, who may write. */
  readonly ask: (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;
  readonly raw: (method: string, path: string, init?: RequestInit) => Promise<Response>;
}

/** Serves the codex routes without listening on a port. */
export async function serve(options: HarnessOptions = {}): Promise<Served> {
  const harness = await openHarness(options);
  const server = createServer({
    apps: [codexApp(harness.codex)],
    authenticate({ headers }): Principal | undefined {
      const name = (headers.get('authorization') ?? '').replace('Bearer ', '') as keyof typeof permissions;
      return name in permissions
        ? { userId: name, name, permissions: new Set(permissions[name]), kind: 'token' }
        : undefined;
    },
    info: { title: 'test', version: '1' },
    logger: createLogger({ level: 'silent' }),
    origins: ['http://localhost'],
  });
  onTestFinished(() => server.dispose());
  const document = openApiDocument([codexApp(harness.codex)], { title: 'test', version: '1' });
  const raw = async (method: string, path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = { authorization: 'Bearer ada', ...(init.headers as Record<string, string> | undefined) };
    const asked = new Request(`http://localhost/api/codex${path}`, { method, headers });
    const response = await server.request(`/api/codex${path}`, { ...init, method, headers });
    const silence = await undocumented(document, asked, response);
    if (silence !== undefined) throw new Error(`The OpenAPI document does not say ${silence}`);
    return response;
  };
  const ask: Served['ask'] = async (method, path, body, headers = {}) => {
    const response = await raw(method, path, {
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
    };
  };
  return { ...harness, server, ask, raw };
}
