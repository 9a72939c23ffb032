/** The commands as data. A missing entry is skipped. */
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/**
 * `warmUp` lists command lines that run once after a build, in an empty folder with an empty HOLDFAST_HOME, so that
 * their code is in the cache. They need not succeed.
 */
const known = [
  {
    name: 'holdfast',
    entry: mainOf('apps/holdfast'),
    // The server refuses this address, after it has loaded its code.
    warmUp: [['--help'], ['doctor'], ['verify', 'np'], ['keys', 'np'], ['serve', '--host', '0.0.0.0']],
  },
  {
    name: 'np',
    entry: mainOf('apps/np'),
    warmUp: [
      ['s'],
      ['g', 's', '-t', 'goal', '-d', 'why'],
      ['t', 'a', '-t', 'title', '-d', 'text'],
      ['t'],
      ['p', '--json'],
    ],
  },
  { name: 'ut', entry: mainOf('apps/utask'), warmUp: [['add', 'title', '-t', 'tag'], ['ls'], ['ls', '--json']] },
  { name: 'ringmaster', entry: mainOf('apps/ringmaster'), warmUp: [['init'], ['status'], ['status', '--json']] },
];

export const commands = known.filter((command) => existsSync(command.entry));

function mainOf(app) {
  return resolve(root, app, 'src/main.ts');
}
