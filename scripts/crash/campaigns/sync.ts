import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { type Campaign, type Context, type Counts, noCounts, violate } from '../lib/campaign.ts';
import { anyDeath, startAndKill, Victim } from '../lib/victim.ts';

/**
 * Two machines share a bare repository. Both write and sync, and are killed. Then both are started again until
 * everything is synced.
 *
 * - lost: an acknowledged line is missing on one of the machines or in the remote
 * - phantom: a file contains a line that nobody wrote, such as a conflict marker
 * - partial: the machines differ, or git, index and folder of a machine disagree
 */
export const sync: Campaign = {
  name: 'sync',
  promise: 'two machines that share a remote lose nothing and end up equal, wherever they are killed',
  cycles: 300,
  failpoints: [
    'git.remote.fetched',
    'git.remote.kept',
    'codex.sync.fetched',
    'codex.sync.planned',
    'codex.sync.moved',
    'codex.sync.recorded',
    'codex.sync.applied',
    'codex.sync.finished',
    'codex.sync.pushed',
  ],
  async run(context) {
    const counts = noCounts();
    let pair = newPair(context, 0);
    for (let cycle = 0; cycle < context.cycles && !context.isTimeUp(); cycle += 1) {
      counts.cycles += 1;
      // Starts with new machines from time to time, because every check reads everything that was ever written.
      if (cycle > 0 && cycle % PAIR_CYCLES === 0) {
        rmSync(pair.folder, { recursive: true, force: true });
        pair = newPair(context, cycle);
      }
      await runCycle(context, counts, pair);
      if (cycle % 10 === 9)
        context.progress(`${cycle + 1} cycles, ${counts.kills} kills, ${counts.acknowledged} lines`);
    }
    return counts;
  },
};

const PAIR_CYCLES = 10;
const WITHIN_MS = 4_000;
const PASSES = 4;
const NAMES = ['one', 'two'] as const;

interface Pair {
  readonly folder: string;
  readonly remote: string;
}

function newPair({ folder: base }: Context, cycle: number): Pair {
  const folder = join(base, `pair-${cycle}`);
  const remote = join(folder, 'remote');
  for (const name of NAMES) mkdirSync(join(folder, name), { recursive: true });
  execFileSync('git', ['init', '-q', '--bare', '-b', 'main', remote]);
  return { folder, remote };
}

async function runCycle(context: Context, counts: Counts, pair: Pair): Promise<void> {
  const { random } = context;
  const before = linesIn(pair, 'done').length;
  const lives = NAMES.map(async (name) => {
    const args = argsOf(pair, name, String(1 + random.below(1_000_000_000)), 'write');
    const victim = await startAndKill('sync-victim', args, anyDeath(random, sync, PASSES, WITHIN_MS));
    if (victim.wasKilled) counts.kills += 1;
    else if (victim.failure !== undefined) violate(counts, 'partial', `a machine failed: ${victim.failure}`);
    await victim.gone();
  });
  await Promise.all(lives);
  // The second machine may have merged, so the first one syncs again.
  for (const name of [...NAMES, NAMES[0]]) {
    const victim = new Victim('sync-victim', argsOf(pair, name, '1', 'settle'));
    await victim.ended();
    if (victim.failure !== undefined) violate(counts, 'partial', `${name} cannot sync: ${victim.failure}`);
  }
  counts.acknowledged += linesIn(pair, 'done').length - before;
  check(pair, counts);
}

function argsOf(pair: Pair, name: string, seed: string, what: string): string[] {
  return [join(pair.folder, name), pair.remote, name, seed, join(pair.folder, `${name}.told`), what];
}

/** A killed process may leave an incomplete last line, which then counts as not acknowledged. */
function linesIn({ folder }: Pair, kind: 'begun' | 'done'): string[] {
  return NAMES.flatMap((name) => {
    const file = join(folder, `${name}.told`);
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
    return lines.filter((line) => line.startsWith(`${kind} `)).map((line) => line.slice(kind.length + 1));
  });
}

function check(pair: Pair, counts: Counts): void {
  const begun = new Set(linesIn(pair, 'begun'));
  const folders = NAMES.map((name) => filesIn(join(pair.folder, name, 'notebooks', 'notes')));
  for (const [at, files] of folders.entries()) {
    const name = NAMES[at] ?? '';
    const lines = new Set([...files.values()].flatMap((text) => text.split('\n')).filter((line) => line !== ''));
    for (const line of linesIn(pair, 'done')) {
      if (!lines.has(line)) violate(counts, 'lost', `${name} lacks the acknowledged line ${line}`);
    }
    for (const line of lines) if (!begun.has(line)) violate(counts, 'phantom', `${name} has the line ${line}`);
    checkRepository(pair, name, counts);
  }
  const [one = new Map<string, string>(), two = new Map<string, string>()] = folders;
  for (const path of new Set([...one.keys(), ...two.keys()])) {
    if (one.get(path) !== two.get(path)) violate(counts, 'partial', `the machines differ at ${path}`);
  }
}

function checkRepository(pair: Pair, name: string, counts: Counts): void {
  const folder = join(pair.folder, name, 'notebooks', 'notes');
  const git = (...args: readonly string[]): string =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();
  const status = git('status', '--porcelain');
  if (status !== '') violate(counts, 'partial', `${name}: git status says ${status}`);
  const remote = execFileSync('git', ['rev-parse', 'main'], { cwd: pair.remote, encoding: 'utf8' }).trim();
  if (git('rev-parse', 'HEAD') !== remote) violate(counts, 'partial', `${name} is not at the tip of the remote`);
  try {
    git('fsck', '--no-dangling', '--no-progress');
  } catch (error) {
    violate(counts, 'partial', `${name}: git fsck says ${String(error)}`);
  }
}

function filesIn(folder: string): Map<string, string> {
  const files = new Map<string, string>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).slice(folder.length + 1);
    if (entry.isFile() && !/^\.(?:git|codex)\//u.test(path)) files.set(path, readFileSync(join(folder, path), 'utf8'));
  }
  return files;
}
