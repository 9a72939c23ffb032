import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Provider } from 'oidc-provider';
import { onTestFinished, vi } from 'vitest';

export const CLIENT_ID = 'holdfast';
export const CLIENT_SECRET = 'the-secret-of-the-client';

interface OidcServer {
  readonly issuer: string;
}

interface OidcServerOptions {
  readonly redirectUris: readonly string[];
  /** Claims by user name. Each user signs in with this name and any password. */
  readonly users: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Runs a real OpenID Connect provider in this process. */
export async function startOidcServer({ redirectUris, users }: OidcServerOptions): Promise<OidcServer> {
  // Silences the provider, which warns that its keys and pages are not for production.
  for (const method of ['warn', 'info'] as const) vi.spyOn(console, method).mockReturnValue(undefined);
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => server.closeAllConnections());
  onTestFinished(() => void server.close());
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [{ client_id: CLIENT_ID, client_secret: CLIENT_SECRET, redirect_uris: [...redirectUris] }],
    claims: {
      openid: ['sub'],
      profile: ['preferred_username'],
      email: ['email', 'email_verified'],
      groups: ['groups'],
    },
    features: { devInteractions: { enabled: true } },
    pkce: { required: () => true },
    cookies: { keys: ['a key for tests'] },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...users[id] }) }),
  });
  const handle = provider.callback();
  server.on('request', (request, response) => void handle(request, response));
  return { issuer };
}

/** A browser without scripts: follows redirects, keeps cookies per origin and submits forms. */
export class FormBrowser {
  readonly #cookies = new Map<string, Map<string, string>>();

  cookie(origin: string, name: string): string | undefined {
    return this.#cookies.get(origin)?.get(name);
  }

  setCookie(origin: string, name: string, value: string): void {
    const jar = this.#cookies.get(origin) ?? new Map<string, string>();
    this.#cookies.set(origin, jar.set(name, value));
  }

  /** Sends one request, without following a redirect. */
  async send(url: string, form?: Readonly<Record<string, string>>): Promise<Response> {
    const { origin } = new URL(url);
    const cookie = [...(this.#cookies.get(origin) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie },
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const set of response.headers.getSetCookie()) {
      const [pair = ''] = set.split(';');
      this.setCookie(origin, pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    return response;
  }

  /** Signs in at the provider as `user`, from the page that `start` leads to; returns the URL that leads back to us. */
  async signIn(start: string, user: string, home: string): Promise<string> {
    let response = await this.send(start);
    let url = start;
    for (let step = 0; step < 20; step++) {
      const location = response.headers.get('location');
      if (location !== null) {
        url = new URL(location, url).href;
        if (url.startsWith(home)) return url;
        response = await this.send(url);
        continue;
      }
      const page = await response.text();
      const action = /<form[^>]* action="([^"]+)"/u.exec(page)?.[1];
      const prompt = /name="prompt" value="(\w+)"/u.exec(page)?.[1];
      if (action === undefined || prompt === undefined) throw new Error(`no form at ${url}: ${page.slice(0, 500)}`);
      url = new URL(action, url).href;
      response = await this.send(url, { prompt, ...(prompt === 'login' ? { login: user, password: 'any' } : {}) });
    }
    throw new Error('the provider does not lead back');
  }
}
