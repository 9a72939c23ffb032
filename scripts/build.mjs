/**
 * Builds every command and the dashboard into dist/:
 * `node scripts/build.mjs [--force] [--out DIR] [--command NAME=ENTRY]...`
 * Or measures how fast they start: `node scripts/build.mjs --measure [--rounds N]`
 *
 * A command whose sources have not changed is left alone, so running this before every test run costs nothing.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildCommand } from './build/build-command.mjs';
import { commands, root } from './build/commands.mjs';
import { buildSite } from './build/site.mjs';

const { values } = parseArgs({
  options: {
    force: { type: 'boolean', default: false },
    out: { type: 'string', default: resolve(root, 'dist') },
    measure: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '30' },
    command: { type: 'string', multiple: true },
  },
});

if (values.measure) {
  const { measure } = await import('./build/measure.mjs');
  await measure(Number(values.rounds));
} else {
  for (const command of values.command?.map(namedEntry) ?? commands) await buildOne(command);
  if (values.command === undefined) {
    const outcome = await buildSite({ out: resolve(values.out), isForced: values.force });
    process.stderr.write(`dashboard: ${outcome}\n`);
  }
}

async function buildOne(command) {
  try {
    const outcome = await buildCommand(command, { out: resolve(values.out), isForced: values.force });
    process.stderr.write(`${command.name}: ${outcome}\n`);
  } catch (error) {
    // What esbuild found it has said already, with the place in the source.
    if (error.errors === undefined) throw error;
    process.stderr.write(`${command.name}: not built\n`);
    process.exitCode = 1;
  }
}

/** Builds something that is not in the list, for tests and measurements. */
function namedEntry(setting) {
  const [name, entry] = setting.split('=');
  if (entry === undefined) throw new TypeError(`--command must look like name=entry.ts, got "${setting}"`);
  return { name, entry: resolve(entry), warmUp: [['--help']] };
}
