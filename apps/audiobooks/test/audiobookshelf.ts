import type { z } from 'zod';
import { enableClients } from '../src/service/audiobookshelf/clients.ts';
import * as shapes from './audiobookshelf-clients.ts';
import { type Person, serve, type Served } from './served.ts';
import type { Tree } from './tree.ts';

/** A signed-in Audiobookshelf client that checks each answer as real clients decode it. */

export const PASSWORD = 'correct horse battery staple';

interface Asked {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly token?: string | undefined;
}

export interface ClientServer extends Served {
  /** Sends a request below the base path, without credentials unless `token` is given. */
  readonly send: (path: string, asked?: Asked) => Promise<Response>;
  readonly signIn: (name: Person) => Promise<Client>;
}

export interface Client {
  readonly tokens: { access: string; refresh: string };
  readonly login: z.infer<typeof shapes.login>;
  readonly send: (path: string, asked?: Asked) => Promise<Response>;
  /** Returns the decoded JSON; throws if the request fails or the answer does not decode. */
  readonly read: <Schema extends z.ZodType>(path: string, shape: Schema, asked?: Asked) => Promise<z.infer<Schema>>;
  /** Sends a request and expects the text that clients read as success. */
  readonly done: (path: string, asked: Asked) => Promise<void>;
}

export async function serveClients(
  trees: Readonly<Record<string, Tree>>,
  options: { readonly now?: () => number; readonly log?: string[] } = {},
): Promise<ClientServer> {
  const served = await serve(trees, options.log, options.now);
  for (const name of ['ada', 'bob'] as const) {
    await served.accounts.setPassword({ userId: served.users[name], password: PASSWORD });
  }
  await enableClients(served.app);
  const send: ClientServer['send'] = (path, { method, body, headers = {}, token } = {}) =>
    served.server.request(`http://localhost/audiobookshelf${path}`, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  return {
    ...served,
    send,
    async signIn(name) {
      const headers = { 'x-return-tokens': 'true' };
      const response = await send('/login', { body: { username: name, password: PASSWORD }, headers });
      const login = shapes.login.parse(await response.json());
      const tokens = { access: login.user.accessToken, refresh: login.user.refreshToken };
      return clientOf(send, tokens, login);
    },
  };
}

function clientOf(send: ClientServer['send'], tokens: Client['tokens'], login: Client['login']): Client {
  const own: Client['send'] = (path, asked = {}) => send(path, { token: tokens.access, ...asked });
  const failed = async (path: string, response: Response): Promise<Error> =>
    new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return {
    tokens,
    login,
    send: own,
    async read(path, shape, asked) {
      const response = await own(path, asked);
      if (!response.ok) throw await failed(path, response);
      return shape.parse(await response.json());
    },
    async done(path, asked) {
      const response = await own(path, asked);
      const body = await response.clone().text();
      if (response.status !== 200 || body !== 'OK') throw await failed(path, response);
    },
  };
}
