/** Compares the routes that change something with the requests that the dashboard's pages send. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

const bases = new Map([
  ['authApi', '/api/auth'],
  ['accountApi', '/api/account'],
  ['usersApi', '/api/users'],
  ['systemApi', '/api/system'],
  ['overviewApi', '/api'],
  ['npApi', '/api/np'],
  ['utaskApi', '/api/utask'],
  ['codexApi', '/api/codex'],
  ['booksApi', '/api/audiobooks'],
  ['ringmasterApi', '/api/ringmaster'],
]);

const INBOX = 'The inbox sends it: the server describes the request';
const WORKERS = 'For workers and agents, not for people';
const MAINTENANCE = 'Maintenance, which is rarely needed: a command';
const UPLOAD = 'Sends a file, so the page builds the request itself';
const CHOSEN = 'The page chooses this path while it runs';

/** Routes that no page calls through its typed client, with the reason. */
const others = new Map([
  ['POST /api/codex/notebooks/{notebook}/pause', CHOSEN],
  ['POST /api/codex/notebooks/{notebook}/resume', CHOSEN],
  ['POST /api/codex/notebooks/{notebook}/reindex', MAINTENANCE],
  ['POST /api/codex/notebooks/{notebook}/files/upload', UPLOAD],
  ['POST /api/codex/notebooks/{notebook}/attachments', UPLOAD],
  ['POST /api/codex/notebooks/{notebook}/batch', 'For programs that change many files at once'],
  ['POST /api/codex/events/{id}/wait', 'Pages follow the event stream instead'],
  ['POST /api/codex/events/{id}/retry', CHOSEN],
  ['POST /api/codex/events/{id}/cancel', CHOSEN],
  ['POST /api/ringmaster/workspaces/{workspace}/undo', INBOX],
  ['POST /api/ringmaster/workspaces/{workspace}/inquiries', WORKERS],
  ['POST /api/ringmaster/workspaces/{workspace}/summaries', WORKERS],
  ['POST /api/ringmaster/workspaces/{workspace}/rank', MAINTENANCE],
  ['POST /api/ringmaster/workspaces/{workspace}/claim', WORKERS],
  ['POST /api/ringmaster/workspaces/{workspace}/heartbeat', WORKERS],
  ['POST /api/ringmaster/workspaces/{workspace}/report', WORKERS],
  ['POST /api/ringmaster/workspaces/{workspace}/machines/claim', WORKERS],
  ['POST /api/ringmaster/workspaces/{workspace}/machines/heartbeat', WORKERS],
  ['POST /api/ringmaster/workspaces/{workspace}/machines/output', WORKERS],
  ['POST /api/ringmaster/workspaces/{workspace}/machines/finish', WORKERS],
  ['POST /api/ringmaster/workspaces/{workspace}/reap', MAINTENANCE],
  ['POST /api/ringmaster/workspaces/{workspace}/cleanup', MAINTENANCE],
  ['POST /api/ringmaster/workspaces/{workspace}/check', MAINTENANCE],
  ['PUT /api/audiobooks/books/{book}/cover', UPLOAD],
  ['POST /api/audiobooks/stats/rebuild', MAINTENANCE],
  ['POST /api/audiobooks/playback/prune', MAINTENANCE],
  ['POST /api/audiobooks/import', UPLOAD],
]);

const CHANGES = /^(?:post|put|patch|delete)$/u;

function routes(): readonly string[] {
  const { paths } = JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8')) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods)
      .filter((method) => CHANGES.test(method))
      .map((method) => `${method.toUpperCase()} ${path.replace(/\/$/u, '')}`),
  );
}

function requests(): ReadonlySet<string> {
  const found = new Set<string>();
  const folder = join(root, 'apps/web/src');
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/u.test(file)) continue;
    const text = readFileSync(join(folder, file), 'utf8');
    for (const [, client = '', method = '', path = ''] of text.matchAll(/(\w+Api)\s*\.([A-Z]+)\(\s*'([^']+)'/gu)) {
      const base = bases.get(client);
      if (base !== undefined) found.add(`${method} ${base}${path === '/' ? '' : path}`);
    }
  }
  return found;
}

test('pages can change what commands and programs can change, or the list says why not', () => {
  const sent = requests();
  const missing = routes().filter((route) => !sent.has(route));
  expect(missing.toSorted()).toEqual([...others.keys()].toSorted());
});
