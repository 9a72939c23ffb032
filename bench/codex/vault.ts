import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { delay, KIBIBYTE, MEBIBYTE, MINUTE, SECOND } from '@holdfast/base';

import { Random } from '../../packages/sqlite/test/random.ts';
import { type Served, startServer } from '../hub/served.ts';
import type { Context, Figure } from '../lib/harness.ts';
import { Vocabulary } from './fixtures.ts';

const PICTURE_BYTES = 10_000;
const LOOK_MS = SECOND;
const TICKS_PER_SECOND = 100;

/**
 * Workload: a vault of 8,000 notes and 3,000 pictures becomes a notebook on the built server. Measured: CPU time of the
 * server and of the git processes that it starts, and its peak memory, until every file is read, indexed and committed.
 */
export async function benchmark({ folder, quick, progress }: Context): Promise<readonly Figure[]> {
  const [notes, pictures] = quick ? [160, 60] : [8_000, 3_000];
  const vault = join(folder, 'vault');
  makeVault(vault, notes, pictures);
  const home = join(folder, 'home');
  mkdirSync(home, { mode: 0o700 });
  const served = await startServer(home);
  const imported = importVault(served, vault, notes + pictures);
  await imported.catch(() => undefined);
  await served.stop();
  const { cpu, peak, seconds } = await imported;
  const baseline = `${notes} notes and ${pictures} pictures, imported in ${seconds.toFixed(0)} s`;
  progress(`  ${cpu.toFixed(1)} s of CPU, ${peak.toFixed(0)} MiB, ${seconds.toFixed(0)} s`);
  return [
    { name: 'codex.vault.cpu', value: cpu, unit: 's', baseline, goal: 30, better: 'lower' },
    { name: 'codex.vault.memory', value: peak, unit: 'MiB', baseline, goal: 250, better: 'lower' },
  ];
}

interface Imported {
  readonly seconds: number;
  /** CPU time in seconds. */
  readonly cpu: number;
  /** Peak memory in MiB. */
  readonly peak: number;
}

async function importVault({ port, token, pid }: Served, vault: string, files: number): Promise<Imported> {
  const ask = async (path: string, body?: object): Promise<Status> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const request = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const answer = await fetch(`http://127.0.0.1:${port}/api/codex/notebooks${path}`, { headers, ...request });
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()) as Status;
  };
  const before = cpuSeconds(pid);
  const started = performance.now();
  await ask('', { name: 'vault', path: vault });
  while (!isDone(vault, files, await ask('/vault/status'))) {
    if (performance.now() - started > 10 * MINUTE) throw new Error('The vault was not imported in ten minutes');
    await delay(LOOK_MS);
  }
  const seconds = (performance.now() - started) / SECOND;
  return { seconds, cpu: cpuSeconds(pid) - before, peak: peakBytes(pid) / MEBIBYTE };
}

interface Status {
  readonly pending: number;
  readonly git: { readonly pending: number };
}

function isDone(vault: string, files: number, status: Status): boolean {
  if (status.pending > 0 || status.git.pending > 0) return false;
  const listed = execFileSync('git', ['-C', vault, 'ls-files', '-z'], { encoding: 'utf8', maxBuffer: 64 * MEBIBYTE });
  return listed.split('\0').filter((path) => /\.(?:md|png)$/.test(path)).length >= files;
}

function makeVault(vault: string, notes: number, pictures: number): void {
  const vocabulary = new Vocabulary(1);
  const random = new Random(1);
  for (let n = 0; n < notes; n++) {
    const place = join(vault, `area ${n % 20}`, `topic ${Math.floor(n / 20) % 15}`);
    mkdirSync(place, { recursive: true });
    const links = `[[note ${random.below(notes)}]] and ![[picture ${n % pictures}.png]]`;
    // Most notes are short and a few are long, as in real vaults.
    const text = vocabulary.note(n, 60 + Math.floor(random.next() ** 3 * 600));
    writeFileSync(join(place, `note ${n}.md`), `${text}\nSee ${links}.\n`);
  }
  for (let n = 0; n < pictures; n++) {
    const place = join(vault, 'files', String(n % 30));
    mkdirSync(place, { recursive: true });
    writeFileSync(
      join(place, `picture ${n}.png`),
      Buffer.from(Array.from({ length: PICTURE_BYTES }, () => random.below(256))),
    );
  }
}

/** Includes the processes that have ended. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return ticks / TICKS_PER_SECOND;
}

function peakBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * KIBIBYTE;
}
