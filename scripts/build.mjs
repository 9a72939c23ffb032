/**
 * Builds every command and the dashboard into dist/:
 * `node scripts/build.mjs [--force] [--out DIR] [--command NAME=ENTRY]...`
 * Or measures how fast they start: `node scripts/build.mjs --measure [--rounds N]`
 *
 * Commands with unchanged sources are skipped, so running this before every test run is cheap.
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
    // esbuild has already reported its errors with their source position.
    if (error.errors === undefined) throw error;
    process.stderr.write(`${command.name}: not built\n`);
    process.exitCode = 1;
  }
}

/** Builds an entry that is not in the list, for tests and benchmarks. */
function namedEntry(setting) {
  const [name, entry] = setting.split('=');
  if (entry === undefined) throw new TypeError(`--command must look like name=entry.ts, got "${setting}"`);
  return { name, entry: resolve(entry), warmUp: [['--help']] };
}
