import { join } from 'node:path';

import { notebookPath } from '../../apps/codex/src/model/path.ts';
import { publish } from '../../apps/codex/src/service/publish.ts';
import { type Context, type Figure, median } from '../lib/harness.ts';
import { noteText, openNotebook } from './fixtures.ts';

const CALLERS = 64;

/**
 * Workload: durable enqueue of creates with a kilobyte of content, while no worker processes the queue. First one
 * caller, then 64 at once.
 */
export async function benchmark({ folder, quick, progress }: Context): Promise<readonly Figure[]> {
  const total = quick ? 128 : 3_200;
  const ratios: number[] = [];
  const rates: { one: number; many: number }[] = [];
  for (let round = 0; round < (quick ? 1 : 5); round++) {
    const one = await rateOf(join(folder, `one-${round}`), 1, total / 4);
    const many = await rateOf(join(folder, `many-${round}`), CALLERS, total);
    ratios.push(many / one);
    rates.push({ one, many });
    progress(`  one caller ${Math.round(one)}/s, ${CALLERS} callers ${Math.round(many)}/s`);
  }
  const rate = (kind: 'one' | 'many'): string => `${Math.round(median(rates.map((each) => each[kind])))}/s`;
  const baseline = `one caller: ${rate('one')} (${CALLERS} callers ${rate('many')})`;
  return [{ name: 'codex.enqueue_64_callers', value: median(ratios), unit: '×', baseline, goal: 2, better: 'higher' }];
}

async function rateOf(folder: string, callers: number, total: number): Promise<number> {
  const { codex, notebook } = await openNotebook(folder);
  await codex.lanes.close();
  let next = 0;
  const caller = async (): Promise<void> => {
    while (next < total) {
      const n = next++;
      const requests = [{ type: 'create', path: notebookPath(`n${n}.md`), content: noteText(n) }] as const;
      await publish(codex, { notebookId: notebook.id, author: 'Ada', requests });
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: callers }, caller));
  const seconds = (performance.now() - started) / 1_000;
  await codex.close();
  return total / seconds;
}
