import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { delay, HOUR, MEBIBYTE, SECOND } from '@holdfast/base';

import { type Campaign, type Context, type Counts, noCounts, violate } from '../lib/campaign.ts';
import { type ServedHome, serveHome } from '../lib/served-home.ts';

/**
 * Uses all five applications on a real server for an hour and measures the server every four seconds. A cycle is one
 * measurement. After a warm-up of two minutes, no figure may grow.
 *
 * - lost: a request got a status of 500 or above, or no answer at all
 * - partial: memory, descriptors, write-ahead logs, the delay of the event loop or the age of the queue grew, or a
 *   journal exceeded its limit
 */
export const soak: Campaign = {
  name: 'soak',
  promise: 'a server that works for an hour needs no more memory, files or time at the end than at the start',
  cycles: 900,
  failpoints: [],
  async run(context) {
    const counts = noCounts();
    const home = join(context.folder, 'home');
    const server = await serveHome(home);
    const load = new Load(server, counts);
    const samples: Sample[] = [];
    try {
      await load.start();
      while (counts.cycles < context.cycles && !context.isTimeUp()) {
        if (!server.isRunning()) throw new Error('the server ended');
        counts.cycles += 1;
        const [sample] = await Promise.all([measure(server, home), delay(SAMPLE_EVERY_MS)]);
        samples.push(sample);
        if (counts.cycles % 15 === 0) context.progress(`${counts.acknowledged} requests, ${describe(samples.at(-1)!)}`);
      }
    } finally {
      await load.stop();
      await server.stop();
    }
    judge(context, samples, counts);
    return counts;
  },
};

interface Sample {
  readonly memoryMiB: number;
  readonly descriptors: number;
  readonly walMiB: number;
  readonly databasesMiB: number;
  readonly loopDelayMs: number;
  readonly queueAgeSeconds: number;
}

/** Growth from the second to the last quarter that is still noise. */
const growthMax: Readonly<Record<keyof Sample, number>> = {
  memoryMiB: 48,
  descriptors: 12,
  walMiB: 16,
  // The journals grow up to their limit of 128 MiB each.
  databasesMiB: 6 * 160,
  loopDelayMs: 250,
  queueAgeSeconds: 15,
};
const SAMPLE_EVERY_MS: number = 4 * SECOND;
/** Two minutes. */
const WARM_UP = 30;

function judge(context: Context, samples: readonly Sample[], counts: Counts): void {
  const warm = samples.slice(WARM_UP);
  // Two minutes are too short to see a slope.
  if (warm.length < WARM_UP) return;
  for (const name of Object.keys(growthMax) as (keyof Sample)[]) {
    const values = warm.map((sample) => sample[name]);
    const quarter = Math.floor(values.length / 4);
    const [before, after] = [median(values.slice(quarter, 2 * quarter)), median(values.slice(3 * quarter))];
    context.progress(
      `${name}: ${before.toFixed(1)} → ${after.toFixed(1)}, slope ${((slope(values) * HOUR) / SAMPLE_EVERY_MS).toFixed(2)} per hour`,
    );
    if (after - before > growthMax[name]) violate(counts, 'partial', `${name} grew from ${before} to ${after}`);
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}

/** Returns the slope of the least-squares line, per measurement. */
function slope(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const products = values.reduce((sum, value, at) => sum + (at - middle) * (value - mean), 0);
  return products / values.reduce((sum, _, at) => sum + (at - middle) ** 2, 0);
}

async function measure(server: ServedHome, home: string): Promise<Sample> {
  const { url, pid, tokens } = server;
  const headers = { authorization: `Bearer ${tokens.admin}` };
  const metrics = await (await fetch(`${url}/metrics`, { headers })).text();
  const queue = (await (await fetch(`${url}/api/codex/events/metrics`, { headers })).json()) as Record<string, unknown>;
  const sizes = (suffix: string): number =>
    readdirSync(home)
      .filter((name) => name.endsWith(suffix))
      .reduce((sum, name) => sum + (statSync(join(home, name), { throwIfNoEntry: false })?.size ?? 0), 0) / MEBIBYTE;
  return {
    memoryMiB: server.memoryMiB(),
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    walMiB: sizes('-wal'),
    databasesMiB: sizes('.db'),
    loopDelayMs: Number(/^holdfast_event_loop_lag_p99_seconds (\S+)$/mu.exec(metrics)?.[1] ?? Number.NaN) * 1_000,
    queueAgeSeconds: Number(queue['oldest_pending_seconds']),
  };
}

function describe(sample: Sample): string {
  return Object.entries(sample)
    .map(([name, value]) => `${name} ${value.toFixed(1)}`)
    .join(', ');
}

/** Adds, changes, reads and deletes in all applications, with one client for each. */
class Load {
  readonly #server: ServedHome;
  readonly #counts: Counts;
  #isStopping = false;
  #clients: Promise<void>[] = [];

  constructor(server: ServedHome, counts: Counts) {
    this.#server = server;
    this.#counts = counts;
  }

  async start(): Promise<void> {
    const { id: notebook } = await this.#send('POST', '/api/codex/notebooks', { name: 'soak' });
    const started = await this.#send('POST', '/api/np/sessions', { directory: this.#server.workspace });
    const { sid } = started['session'] as unknown as { readonly sid: string };
    await this.#send('PUT', `/api/np/sessions/${sid}/goal`, { title: 'Soak', description: '' });
    const workspace = await this.#firstId('/api/ringmaster/workspaces');
    const book = await this.#firstId('/api/audiobooks/books');
    const work: readonly (() => Promise<unknown>)[] = [
      () => this.#addAndDelete('/api/utask/tasks', { text: 'soak', tags: ['soak'] }),
      () => this.#send('PATCH', `/api/np/sessions/${sid}/goal`, { title: `Goal ${Math.random()}`, reason: 'soak' }),
      () => this.#addAndDelete(`/api/codex/notebooks/${notebook}/files`, { path: 'soak.md', content: 'x' }, 'file_id'),
      async () => {
        const { id } = await this.#send('POST', `/api/ringmaster/workspaces/${workspace}/tasks`, { title: 'Soak' });
        await this.#send('POST', `/api/ringmaster/workspaces/${workspace}/task-deletion`, { tasks: [id] });
      },
      () =>
        this.#send('PUT', `/api/audiobooks/progress/${book}`, { position_ms: 1 + Math.floor(Math.random() * 1_000) }),
      () => this.#send('GET', '/api/audiobooks/search?q=a'),
    ];
    this.#clients = work.map(async (step) => {
      while (!this.#isStopping) {
        await step();
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    });
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.allSettled(this.#clients);
  }

  async #addAndDelete(path: string, body: object, idName = 'id'): Promise<void> {
    const added = await this.#send('POST', idName === 'id' ? path : `${path}?wait=30`, body);
    await this.#send('DELETE', `${path}/${added[idName]}`, undefined, { 'if-match': '*' });
  }

  async #firstId(path: string): Promise<string> {
    const { data } = (await this.#send('GET', path)) as unknown as { data: { id: string }[] };
    return data[0]!.id;
  }

  async #send(
    method: string,
    path: string,
    body?: object,
    more: Record<string, string> = {},
  ): Promise<Record<string, string>> {
    const { url, tokens } = this.#server;
    const json = body === undefined ? {} : { 'content-type': 'application/json' };
    try {
      const answer = await fetch(url + path, {
        method,
        headers: { authorization: `Bearer ${tokens.admin}`, ...json, ...more },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      this.#counts.acknowledged += 1;
      if (answer.status >= 400)
        violate(this.#counts, 'lost', `${method} ${path}: ${answer.status} ${text.slice(0, 200)}`);
      return text === '' ? {} : (JSON.parse(text) as Record<string, string>);
    } catch (error) {
      if (!this.#isStopping) violate(this.#counts, 'lost', `${method} ${path}: ${String(error)}`);
      return {};
    }
  }
}
