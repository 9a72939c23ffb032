/**
 * Builds every command and the dashboard into dist/:
 *
 * node scripts/build.mjs [--force] [--package] [--out DIR] [--command NAME=ENTRY]...
 *
 * `--package` also prepares what `npm pack` ships: it removes leftovers from earlier builds, and writes the man pages
 * and the licences of bundled packages.
 *
 * Skips commands with unchanged sources, so running this before every test run is cheap.
 */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildCommand } from './build/build-command.mjs';
import { commands, root } from './build/commands.mjs';
import { writeLicenses } from './build/licenses.mjs';
import { writeManPages } from './build/man.mjs';
import { buildSite } from './build/site.mjs';
import { prune, readStamp } from './build/stamp.mjs';

const { values } = parseArgs({
  options: {
    force: { type: 'boolean', default: false },
    out: { type: 'string', default: resolve(root, 'dist') },
    package: { type: 'boolean', default: false },
    command: { type: 'string', multiple: true },
  },
});

for (const command of values.command?.map(namedEntry) ?? commands) await buildOne(command);
if (values.command === undefined) {
  const outcome = await buildSite({ out: resolve(values.out), isForced: values.force });
  process.stderr.write(`dashboard: ${outcome}\n`);
}
if (values.package) preparePackage(resolve(values.out));

function preparePackage(out) {
  for (const { name } of commands) {
    const library = join(out, 'lib', name);
    prune(library, readStamp(library).outputs, 0);
  }
  process.stderr.write(`licences: ${writeLicenses(out)} packages\n`);
  writeManPages(out);
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

/** Builds an entry that is not one of the known commands, for tests and benchmarks. */
function namedEntry(setting) {
  const [name, entry] = setting.split('=');
  if (entry === undefined) throw new TypeError(`--command must look like name=entry.ts, got "${setting}"`);
  return { name, entry: resolve(entry), warmUp: [['--help']] };
}
