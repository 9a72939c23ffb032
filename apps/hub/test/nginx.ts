import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';

import { afterEach, expect } from 'vitest';

import { temporaryHome } from './hub.ts';
import { serve } from './server-process.ts';

/** The guide, whose configurations the tests run. */
export const guidePath = resolve(import.meta.dirname, '../../../docs/server.md');

const proxies: ChildProcess[] = [];

afterEach(() => {
  for (const proxy of proxies.splice(0)) proxy.kill('SIGTERM');
});

/** Creates the parent folder of a data home; the data home itself may not exist yet. */
export function folderFor(home: string): string {
  mkdirSync(dirname(home), { recursive: true });
  return dirname(home);
}

/** A self-signed certificate for localhost. */
export function certificate(folder: string, name: string): { cert: string; key: string } {
  const [cert, key] = [join(folder, `${name}.pem`), join(folder, `${name}.key`)];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  const keyOptions = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', key];
  execFileSync('openssl', ['req', '-x509', ...keyOptions, '-out', cert, '-days', '2', ...subject], { stdio: 'ignore' });
  return { cert, key };
}

/** Creates a certificate that is signed by a root certificate, as mkcert does. */
export function issuedCertificate(
  folder: string,
  name: string,
): { readonly cert: string; readonly key: string; readonly root: string } {
  const [cert, key, root, rootKey] = ['leaf.pem', 'leaf.key', 'root.pem', 'root.key'].map((file) => join(folder, file));
  const made = { cert: cert ?? '', key: key ?? '', root: root ?? '' };
  const keyOptions = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const openssl = (...args: string[]): void => {
    execFileSync('openssl', ['req', '-x509', ...keyOptions, ...args], { stdio: 'ignore' });
  };
  openssl('-keyout', rootKey ?? '', '-out', made.root, '-subj', '/CN=root');
  const signed = ['-CA', made.root, '-CAkey', rootKey ?? '', '-addext', 'basicConstraints=CA:FALSE'];
  openssl('-keyout', made.key, '-out', made.cert, '-subj', '/CN=leaf', '-addext', `subjectAltName=${name}`, ...signed);
  return made;
}

interface Answer {
  readonly status: number | undefined;
  readonly text: string;
  readonly cookies: readonly string[];
}

interface SecureRequest {
  readonly ca: string;
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export function fetchSecurely(url: string, { ca, method = 'GET', body, headers = {} }: SecureRequest): Promise<Answer> {
  const all = { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
  return new Promise((done, fail) => {
    const sent = request(url, { ca: readFileSync(ca), method, headers: all }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () =>
        done({ status: response.statusCode, text, cookies: response.headers['set-cookie'] ?? [] }),
      );
    });
    sent.on('error', fail);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

export function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => done(port));
    });
  });
}

interface Proxied {
  readonly home: string;
  readonly url: string;
  /** Address of the server behind nginx. */
  readonly upstream: string;
  readonly ca: string;
}

interface NginxOptions {
  readonly home?: string;
  /** Additional lines for the `location` block of the configuration. */
  readonly location?: string;
  /** More server options. */
  readonly serverOptions?: (folder: string) => readonly string[];
}

/** Runs nginx with the configuration in docs/server.md, but with this test's ports and files. */
export async function behindNginx(options: NginxOptions = {}): Promise<Proxied> {
  const { location = '', serverOptions = () => [], home = temporaryHome() } = options;
  const folder = folderFor(home);
  const { cert, key } = certificate(folder, 'proxy');
  const port = await freePort();
  const url = `https://localhost:${port}`;
  const { url: upstream } = await serve(
    home,
    '--port',
    '0',
    '--origin',
    url,
    '--trusted-proxy',
    '127.0.0.1',
    ...serverOptions(folder),
  );
  const site = recipeOf(guidePath)
    .replace('http://127.0.0.1:4870', upstream)
    .replace('proxy_http_version 1.1;', `proxy_http_version 1.1;\n${location}`);
  await startNginx({ folder, site, url, cert, key });
  return { home, url, upstream, ca: cert };
}

/** Returns the first nginx configuration in a guide. */
export function recipeOf(guide: string): string {
  return /```nginx\n(.*?)```/su.exec(readFileSync(guide, 'utf8'))?.[1] ?? '';
}

interface Site {
  readonly folder: string;
  /** A guide's configuration, for holdfast.example. */
  readonly site: string;
  readonly url: string;
  readonly cert: string;
  readonly key: string;
}

/** Runs nginx until the end of the test. */
export async function startNginx({ folder, site, url, cert, key }: Site): Promise<void> {
  const own = site
    .replace('listen 443 ssl', `listen 127.0.0.1:${new URL(url).port} ssl`)
    .replace('/etc/ssl/holdfast.example.pem', cert)
    .replace('/etc/ssl/holdfast.example.key', key)
    .replaceAll('holdfast.example', 'localhost');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${join(folder, kind)};`)
    .join('\n');
  const path = join(folder, 'nginx.conf');
  const head = `daemon off;\nmaster_process off;\npid ${join(folder, 'nginx.pid')};\nerror_log ${join(folder, 'error.log')};\n`;
  writeFileSync(path, `${head}events {}\nhttp {\naccess_log off;\n${temporary}\n${own}}\n`);
  const proxy = spawn('nginx', ['-c', path, '-p', folder, '-e', join(folder, 'error.log')], { stdio: 'ignore' });
  proxies.push(proxy);
  // If nginx requires sign-in, a request without a password gets 401.
  await expect
    .poll(() => fetchSecurely(`${url}/healthz`, { ca: cert }).then(({ status }) => status, String), { timeout: 20_000 })
    .toBeOneOf([200, 401]);
}
