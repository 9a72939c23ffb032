import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';

import { notebookPath } from '../../apps/codex/src/model/path.ts';
import { type Context, type Figure, median } from '../lib/harness.ts';
import { noteText, openNotebook, WAIT_MS } from './fixtures.ts';

/**
 * Workload: 1,000 notes of a kilobyte in ten folders. Ours: one request per note, all at once, until file, metadata and
 * event are durable. Baseline: write a temporary file, fsync, rename and fsync the folder, one note after the other.
 */
export async function benchmark({ folder, quick, progress }: Context): Promise<readonly Figure[]> {
  const files = quick ? 100 : 1_000;
  const ratios: number[] = [];
  const rates: { ours: number; hand: number }[] = [];
  for (let round = 0; round < (quick ? 1 : 5); round++) {
    const ours = await throughQueue(join(folder, `creates-${round}`), files);
    const hand = byHand(join(folder, `hand-${round}`), files);
    ratios.push(hand / ours);
    rates.push({ ours: (files * 1_000) / ours, hand: (files * 1_000) / hand });
    progress(`  ours ${Math.round((files * 1_000) / ours)}/s, by hand ${Math.round((files * 1_000) / hand)}/s`);
  }
  const rate = (kind: 'ours' | 'hand'): string => `${Math.round(median(rates.map((one) => one[kind])))}/s`;
  const baseline = `temporary file, fsync, rename, fsync of the folder: ${rate('hand')} (ours ${rate('ours')})`;
  return [{ name: 'codex.creates', value: median(ratios), unit: '×', baseline, goal: 0.5, better: 'higher' }];
}

async function throughQueue(folder: string, files: number): Promise<number> {
  const { codex, notebook } = await openNotebook(folder);
  const started = performance.now();
  await Promise.all(
    Array.from({ length: files }, async (_, n) => {
      const path = notebookPath(`d${n % 10}/note-${n}.md`);
      const requests = [{ type: 'create', path, content: noteText(n) }] as const;
      const [event] = await codex.run({ notebookId: notebook.id, author: 'Ada', requests }, WAIT_MS);
      if (event?.status !== 'completed') throw new Error(`note ${n} is ${event?.status}`);
    }),
  );
  const taken = performance.now() - started;
  await codex.close();
  return taken;
}

function byHand(folder: string, files: number): number {
  for (let d = 0; d < 10; d++) mkdirSync(join(folder, `d${d}`), { recursive: true });
  const started = performance.now();
  for (let n = 0; n < files; n++) {
    const place = join(folder, `d${n % 10}`);
    const temporary = join(place, `.tmp-${n}`);
    const file = openSync(temporary, 'wx');
    writeSync(file, noteText(n));
    fsyncSync(file);
    closeSync(file);
    renameSync(temporary, join(place, `note-${n}.md`));
    const parent = openSync(place, 'r');
    fsyncSync(parent);
    closeSync(parent);
  }
  return performance.now() - started;
}
