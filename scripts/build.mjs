/**
 * Builds every command into dist/: `node scripts/build.mjs [--force] [--out DIR] [--command NAME=ENTRY]...`
 *
 * A command whose sources have not changed is left alone, so running this before every test run costs nothing.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildCommand } from './build/build-command.mjs';
import { commands, root } from './build/commands.mjs';

const { values } = parseArgs({
  options: {
    force: { type: 'boolean', default: false },
    out: { type: 'string', default: resolve(root, 'dist') },
    command: { type: 'string', multiple: true },
  },
});

const wanted = values.command?.map(namedEntry) ?? commands;
for (const command of wanted) {
  const outcome = await buildCommand(command, { out: resolve(values.out), isForced: values.force });
  process.stderr.write(`${command.name}: ${outcome}\n`);
}

/** Builds something that is not in the list, for tests and measurements. */
function namedEntry(setting) {
  const [name, entry] = setting.split('=');
  if (entry === undefined) throw new TypeError(`--command must look like name=entry.ts, got "${setting}"`);
  return { name, entry: resolve(entry), warmUp: [['--help']] };
}
