import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { makeOwnFolder } from '../../apps/codex/src/adapters/notebook-folder.ts';
import { GitLanes } from '../../apps/codex/src/git/lane.ts';
import { settingsFrom } from '../../apps/codex/src/model/settings.ts';
import { insertNotebook } from '../../apps/codex/src/store/notebooks.ts';
import { openStore } from '../../apps/codex/src/store/open.ts';
import { type Context, type Figure, median } from '../lib/harness.ts';
import { leaveForGit, timed } from './fixtures.ts';

const FOLDERS = 100;

/**
 * Workload: a notebook of 10,000 files of about 1 KB, of which 1,000 across all folders have changed. Ours: commit the
 * pending changes, update the user's index and record the commit. Baseline: `git add -A` and `git commit` for as many
 * changes in the same repository, also with fsync. The sides alternate; afterwards git must find nothing to do.
 */
export async function benchmark({ folder, quick, progress }: Context): Promise<readonly Figure[]> {
  const files = quick ? 1_000 : 10_000;
  const changed = quick ? 100 : 1_000;
  const rounds = quick ? 1 : 7;
  const root = join(folder, 'git-commit', 'notebook');
  mkdirSync(root, { recursive: true });
  makeOwnFolder(root);
  git(root, 'init', '-q', '-b', 'main');
  writeFiles(root, files, 0);
  byHand(root);
  git(root, 'gc', '-q');
  const store = await openStore({ path: join(folder, 'git-commit', 'codex.db') });
  const now = new Date().toISOString();
  const { id } = await store.write('add', (tx) => insertNotebook(tx, 'bench', root, now));
  const settings = { ...settingsFrom({}), git_quiet_interval: 3_600, git_commit_interval: 3_600 };
  const problems = { report() {}, clear() {} };
  const lanes = new GitLanes({ store, settings, clock: Date.now, random: Math.random, problems });
  await lanes.flush(id);
  const ratios: number[] = [];
  const times: { ours: number; hand: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const paths = writeFiles(root, changed, 2 * round + 1);
    const texts = paths.map((path, n) => [path, contentOf(n, 2 * round + 1)] as const);
    await leaveForGit(store, id, root, texts);
    const ours = await timed(() => lanes.flush(id));
    if (git(root, 'status', '--porcelain') !== '') throw new Error('The commit left something behind');
    writeFiles(root, changed, 2 * round + 2);
    const hand = await timed(() => byHand(root));
    ratios.push(ours / hand);
    times.push({ ours, hand });
    progress(`  ours ${ours.toFixed(0)} ms, by hand ${hand.toFixed(0)} ms`);
  }
  await lanes.close();
  await store.close();
  git(root, 'fsck', '--no-dangling');
  const of = (kind: 'ours' | 'hand'): string => `${median(times.map((one) => one[kind])).toFixed(0)} ms`;
  const baseline = `git add -A && git commit: ${of('hand')} (ours ${of('ours')}, with index and record)`;
  return [{ name: 'codex.git.commit_1000', value: median(ratios), unit: '×', baseline, goal: 0.9, better: 'lower' }];
}

function contentOf(n: number, version: number): string {
  return `# File ${n}\n\n${`version ${version} of line in file ${n}, `.repeat(28)}\n`;
}

/** Spreads changes evenly, so every commit touches all folders. */
function writeFiles(root: string, count: number, version: number): string[] {
  const paths: string[] = [];
  for (let n = 0; n < count; n++) {
    const path = `folder-${n % FOLDERS}/file-${Math.floor(n / FOLDERS)}.md`;
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), contentOf(n, version));
    paths.push(path);
  }
  return paths;
}

function byHand(root: string): void {
  git(root, 'add', '-A');
  git(root, 'commit', '-q', '-m', 'by hand');
}

function git(root: string, ...args: string[]): string {
  const settings = ['core.fsync=all', 'gc.auto=0', 'user.name=Ada', 'user.email=ada@example.org'];
  const words = [...settings.flatMap((setting) => ['-c', setting]), ...args];
  return execFileSync('git', words, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
