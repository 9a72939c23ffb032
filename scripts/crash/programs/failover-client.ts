/**
 * Uses a space while its servers fail. After the line `go N`, two clients of this process write and read the keys of
 * cycle N; they print each operation after its answer. After the line `stop`, the process prints which commits its
 * watcher saw, and then `stopped`. Arguments: address, name.
 */
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';

import { delay, follow } from '@holdfast/base';
import type { CommitRequest } from '@holdfast/keyspace';
import { postgresEngine } from '@holdfast/postgres';

import type { FailoverOperation } from '../lib/failover-check.ts';
import type { LeaseState } from '../lib/linearizability.ts';

const [address, name] = process.argv.slice(2) as [string, string];
const CLIENTS = 2;
/** Process `c` only reads, so no failing commit tells it that its server was replaced. */
const kinds = name === 'c' ? (['read'] as const) : (['write', 'read', 'write', 'lease'] as const);
const patience = { totalMs: 60_000, answerMs: 1_500, connectMs: 1_500, silenceMs: 400 };
const engine = await postgresEngine({ address, space: 'failover', patience });
let over = new AbortController();
const WATCH_MS = 10_000;
let watched: number[] = [];
let watchedUpTo = await engine.revision();
let watchError: string | undefined;
void watch();

async function watch(): Promise<void> {
  const source = {
    read: (since: number) => engine.changes(since, 500),
    subscribe: (wake: () => void) => engine.onChange(wake),
  };
  try {
    for await (const { revision } of follow(source, watchedUpTo)) watched.push(revision);
  } catch (error) {
    watchError = String(error);
  }
}

/** Prints the commits that the watcher saw, when it has seen the newest one. */
async function printWatched(): Promise<void> {
  // Without a primary, the cluster recovers only after this process has stopped. The next cycle then checks the rest.
  const newest = await Promise.resolve(engine.revision()).catch(() => watched.at(-1) ?? watchedUpTo);
  const end = now() + WATCH_MS;
  while ((watched.at(-1) ?? watchedUpTo) < newest && now() < end) await delay(20);
  const operation = { client: name, kind: 'watch', after: watchedUpTo, newest, revisions: watched, error: watchError };
  writeSync(1, `${JSON.stringify(operation)}\n`);
  watchedUpTo = watchError === undefined ? (watched.at(-1) ?? watchedUpTo) : newest;
  watched = [];
  if (watchError === undefined) return;
  watchError = undefined;
  void watch();
}

const empty: CommitRequest = {
  base: undefined,
  reads: new Map(),
  ranges: [],
  writes: new Map(),
  appends: [],
  additions: [],
};
const now = (): number => Number(process.hrtime.bigint()) / 1e6;
const isInDoubt = (error: unknown): boolean => (error as { code?: string }).code === 'STORE_IN_DOUBT';

/** Writes a unique key, the register and the counter in one commit. */
async function write(cycle: string, client: string, n: number): Promise<Partial<FailoverOperation>> {
  const key = `commit/${cycle}/${client}/${n}`;
  const value = `${client}-${n}`;
  const outcome = await engine.commit({
    ...empty,
    writes: new Map([
      [key, value],
      [`register/${cycle}`, value],
    ]),
    additions: [{ key: `counter/${cycle}`, encoding: 'decimal', amount: 1 }],
  });
  return outcome.conflict ? { error: 'A commit without reads conflicted' } : { revision: outcome.revision };
}

async function read(cycle: string): Promise<Partial<FailoverOperation>> {
  const [value, count] = await engine.getMany([`register/${cycle}`, `counter/${cycle}`]);
  return { value: String(value ?? ''), count: Number(count ?? 0) };
}

/** Acquires the lease if it is free, or releases it with `release` as its fence. */
async function changeLease(cycle: string, client: string, release: number | undefined): Promise<number> {
  const key = `lease/${cycle}`;
  for (;;) {
    const snapshot = await engine.snapshot();
    const stored = await snapshot.get(key);
    const held: LeaseState = stored === undefined ? { owner: undefined, fence: 0 } : JSON.parse(String(stored));
    const isRefused = release === undefined ? held.owner !== undefined : held.fence !== release;
    if (isRefused) return 0;
    const next = release === undefined ? { owner: client, fence: held.fence + 1 } : { fence: held.fence };
    const outcome = await engine.commit({
      ...empty,
      base: await snapshot.revision(),
      reads: new Map([[key, stored]]),
      writes: new Map([[key, JSON.stringify(next)]]),
    });
    if (!outcome.conflict) return next.fence;
  }
}

async function runClient(cycle: string, client: string, { signal }: AbortController): Promise<void> {
  let held: number | undefined;
  for (let n = 0; !signal.aborted; n++) {
    const kind = kinds[n % kinds.length]!;
    const started: FailoverOperation = { client, kind, n, release: held, called: now(), returned: null };
    let result: Partial<FailoverOperation>;
    try {
      if (kind === 'write') result = await write(cycle, client, n);
      else if (kind === 'read') result = await read(cycle);
      else {
        const fence = await changeLease(cycle, client, held);
        held = held === undefined && fence > 0 ? fence : undefined;
        result = { fence };
      }
      result = { ...result, returned: now() };
    } catch (error) {
      result = isInDoubt(error) ? {} : { error: String(error) };
    }
    writeSync(1, `${JSON.stringify({ ...started, ...result })}\n`);
    await delay(5 + 15 * Math.random());
  }
}

async function runCycle(cycle: string): Promise<void> {
  over = new AbortController();
  const current = over;
  const clients = Array.from({ length: CLIENTS }, (_, index) => runClient(cycle, `${name}${index}`, current));
  await Promise.all(clients);
  await printWatched();
  writeSync(1, 'stopped\n');
}

createInterface({ input: process.stdin }).on('line', (line) => {
  if (line === 'stop') over.abort();
  else void runCycle(line.slice('go '.length));
});
process.stdin.once('end', () => process.exit());
writeSync(1, 'ready\n');
