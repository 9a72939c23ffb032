/** Problems that stop the server, each with the code, hint and exit status that the guide promises. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import { expect, it } from 'vitest';

import { temporaryHome } from '../../test/hub.ts';
import { folderFor, guidePath } from '../../test/nginx.ts';
import { CLIENT_ID, startOidcServer } from '../../test/oidc-server.ts';
import { command, commandLater, holdfast, serve, tokenFor } from '../../test/server-process.ts';

interface Ended {
  readonly code: number | null;
  readonly stderr: string;
}

const start = ['serve', '--json', '--port', '0'];
const errors = readFileSync(resolve(dirname(guidePath), 'errors.md'), 'utf8');

function within(
  program: string,
  args: readonly string[],
  home: string,
  words: readonly string[] = [holdfast, ...start],
): Ended {
  const env = { ...process.env, HOLDFAST_HOME: home };
  const { status, stderr } = spawnSync(program, [...args, ...words], { env, encoding: 'utf8' });
  return { code: status, stderr };
}

/** Runs a command as an ordinary user who may not enter the data home. Root could enter it anyway. */
function withoutAccess(home: string, words?: readonly string[]): Ended {
  chmodSync(home, 0o000);
  const ended = within('bwrap', ['--dev-bind', '/', '/', '--unshare-user', '--uid', '1000'], home, words);
  chmodSync(home, 0o700);
  return ended;
}

const readOnly = (folder: string): readonly string[] => ['--dev-bind', '/', '/', '--ro-bind', folder, folder];

/** A data home with databases. */
function usedHome(): string {
  const home = temporaryHome();
  tokenFor(home);
  return home;
}

const causes: readonly (readonly [cause: string, code: string, run: () => Ended | Promise<Ended>])[] = [
  [
    'another program uses the port',
    'PORT_TAKEN',
    async () => {
      const { url } = await serve(temporaryHome(), '--port', '0');
      return command(temporaryHome(), ['serve', '--json', '--port', new URL(url).port]);
    },
  ],
  [
    'a certificate or its key is missing or invalid',
    'TLS_FILE_INVALID',
    () => command(temporaryHome(), [...start, '--tls-cert', 'none.pem', '--tls-key', 'none.key']),
  ],
  [
    "`oidc_issuer` is not the provider's issuer",
    'OIDC_ISSUER_WRONG',
    async () => {
      const { issuer } = await startOidcServer({ redirectUris: ['http://127.0.0.1/x'], users: {} });
      return commandLater(temporaryHome(), [...start, '--oidc-client-id', CLIENT_ID, '--oidc-issuer', `${issuer}/x`]);
    },
  ],
  [
    'the clock shows a time before this version was released',
    'SERVER_CLOCK_WRONG',
    () => within('faketime', ['2026-10-01'], temporaryHome()),
  ],
  [
    'a later version has migrated the accounts database',
    'SCHEMA_NEWER',
    () => {
      const home = usedHome();
      const later = "UPDATE keyspace SET value = '99' WHERE key = 'meta:version'";
      execFileSync('sqlite3', [join(home, 'accounts.db'), later]);
      return command(home, start);
    },
  ],
  [
    'the server may not write to the data home',
    'STORE_PERMISSION',
    () => {
      const home = usedHome();
      chmodSync(join(home, 'accounts.db'), 0o644);
      return within('bwrap', readOnly(dirname(home)), home);
    },
  ],
  [
    'the server may not write to the data home',
    'STORE_PERMISSION',
    () => {
      const folder = folderFor(temporaryHome());
      return within('bwrap', readOnly(folder), join(folder, 'new', 'home'));
    },
  ],
  ['the server may not write to the data home', 'STORE_PERMISSION', () => withoutAccess(usedHome())],
  [
    '`holdfast.toml` has an unknown key or an invalid value',
    'SERVER_CONFIG_INVALID',
    () => {
      const home = temporaryHome();
      const config = join(folderFor(home), 'holdfast.toml');
      writeFileSync(config, 'prot = 1\n');
      return command(home, [...start, '--config', config]);
    },
  ],
];

it.each(causes)('if %s, the server ends with %s', async (cause, code, run) => {
  const ended = await run();
  const { error } = JSON.parse(ended.stderr) as { error: { code: string; hint: string } };
  expect(error.code).toBe(code);
  const row = readFileSync(guidePath, 'utf8')
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .find(([, first]) => first === cause);
  expect(row?.slice(2, 4)).toEqual([`\`${code}\``, String(ended.code)]);
  expect(errors).toMatch(new RegExp(`^### ${code}\n\n.*_Exit ${ended.code}\\._\n\n`, 'mu'));
  expect(error.hint.length).toBeGreaterThan(20);
});

it.each([
  ['np', 'status'],
  ['ut', 'ls'],
  ['holdfast', 'audit'],
])('if %s may not enter the data home, it ends with STORE_PERMISSION', (name, word) => {
  const { code, stderr } = withoutAccess(usedHome(), [join(dirname(holdfast), name), word]);
  expect([code, stderr]).toEqual([1, expect.stringContaining('[STORE_PERMISSION]')]);
});

it.each([
  ['np', 'sessions'],
  ['ut', 'ls'],
  ['holdfast', 'doctor'],
])('if %s has a relative data home and its working directory is deleted, it ends with a hint', (name, word) => {
  const leave = ['-c', 'cd "$(mktemp -d)" && rmdir "$PWD" && exec "$@"', 'sh'];
  const { code, stderr } = within('sh', leave, 'relative', [join(dirname(holdfast), name), word]);
  expect([code, stderr]).toEqual([3, expect.stringContaining('[WORKING_DIRECTORY_GONE]')]);
});

it('before the owner exists, adding a user is refused, and the command in the hint creates the owner', () => {
  const home = temporaryHome();
  const add = () => command(home, ['user', 'add', 'bo', '--json'], 'a fine long password\n');
  const { error } = JSON.parse(add().stderr) as { error: { code: string; hint: string } };
  expect(error.code).toBe('SETUP_REQUIRED');
  const [, words = ''] = /run `holdfast (.*)`/u.exec(error.hint) ?? [];
  expect(command(home, words.split(' '))).toMatchObject({ code: 0 });
  expect(add()).toMatchObject({ code: 0 });
});
