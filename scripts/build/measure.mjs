/**
 * Measures startup against `node -e 0` in the same minutes: `node scripts/build.mjs --measure [--rounds 30]`.
 *
 * Every case is a whole process with its output in a pipe. The cases take turns, so a busy machine slows all of them;
 * the result is the ratio of medians and of minima.
 */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { buildCommand } from './build-command.mjs';
import { root } from './commands.mjs';
import { measuredPrograms } from './measured-programs.mjs';

const require = createRequire(import.meta.url);

export async function measure(rounds) {
  mkdirSync(join(root, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(root, '.cache/measure-'));
  try {
    report(timed(await casesIn(folder), rounds));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Command lines for node, by name; the first is the baseline. */
async function casesIn(folder) {
  const programs = measuredPrograms(join(folder, 'one-row.db'));
  for (const [name, source] of Object.entries(programs)) writeFileSync(join(folder, `${name}.ts`), source);
  const words = ['task', 'add', '--title', 'x'];
  return {
    'node -e 0': ['-e', '0'],
    'empty file': [await bundled(folder, 'empty')],
    'parser: node:util parseArgs': [await bundled(folder, 'parse-args'), ...words],
    ...(isInstalled('commander') ? { 'parser: commander': [await bundled(folder, 'commander'), ...words] } : {}),
    ...(await builtVariants(folder, 'conduct', words)),
    'database: not bundled': [notBundled(folder, programs['database'])],
    ...(await builtVariants(folder, 'database', [])),
    ...(await builtVariants(folder, 'whole-command', ['task', 'show', 'a'])),
    ...(await builtVariants(folder, 'keyspace', ['put', 'a'])),
    ...(await builtVariants(folder, 'keyspace', ['get', 'a'])),
  };
}

function notBundled(folder, source) {
  const path = join(folder, 'not-bundled.cjs');
  writeFileSync(path, source.replaceAll(/import \{ (\w+) \} from ('[^']+');/gu, 'const { $1 } = require($2);'));
  return path;
}

async function bundled(folder, name) {
  const outfile = join(folder, `${name}.bundle.cjs`);
  await build({
    entryPoints: [join(folder, `${name}.ts`)],
    outfile,
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    logLevel: 'warning',
  });
  return outfile;
}

/** Built like scripts/build.mjs, without and with the code cache. */
async function builtVariants(folder, name, words) {
  const command = {
    name,
    entry: join(folder, `${name}.ts`),
    warmUp:
      name === 'keyspace'
        ? [
            ['put', 'a'],
            ['get', 'a'],
          ]
        : [words],
  };
  const title = [name, ...words].join(' ');
  const [without, cached] = [join(folder, 'without'), join(folder, 'cached')];
  await buildCommand(command, { out: without, withCodeCache: false });
  await buildCommand(command, { out: cached });
  return {
    [`${title}: built, no code cache`]: [join(without, 'bin', name), ...words],
    [`${title}: built`]: [join(cached, 'bin', name), ...words],
  };
}

function timed(cases, rounds) {
  const times = Object.fromEntries(Object.keys(cases).map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, words] of Object.entries(cases)) {
      const startedAt = performance.now();
      const { status, stderr } = spawnSync(process.execPath, words);
      times[name].push(performance.now() - startedAt);
      if (status !== 0) throw new Error(`${name} failed: ${stderr}`);
    }
  }
  return times;
}

function report(times) {
  const rows = Object.entries(times).map(([name, all]) => ({ name, median: median(all), min: Math.min(...all) }));
  const [base] = rows;
  process.stdout.write(`${process.version}, ${times[base.name].length} rounds\n\n`);
  process.stdout.write('| case | median ms | ratio | min ms | ratio |\n|---|---|---|---|---|\n');
  for (const { name, median: middle, min } of rows) {
    const cells = [name, middle.toFixed(1), ratio(middle, base.median), min.toFixed(1), ratio(min, base.min)];
    process.stdout.write(`| ${cells.join(' | ')} |\n`);
  }
}

function median(values) {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)];
}

function ratio(value, base) {
  return `${(value / base).toFixed(2)}×`;
}

function isInstalled(name) {
  try {
    require.resolve(name);
    return true;
  } catch {
    return false;
  }
}
