import { expect, it } from 'vitest';

import { openHarness } from '../../test/harness.ts';
import { notebookPath } from '../model/path.ts';
import { countPending } from '../store/events.ts';
import { pauseAfter, pauseUnless } from './import-pause.ts';

it('rests as long as it has worked, but only while the machine is busy', () => {
  expect(pauseAfter(80, 1.5, 2)).toBe(0);
  expect(pauseAfter(80, 2.5, 2)).toBe(80);
  expect(pauseAfter(60_000, 2.5, 2)).toBe(2_000);
});

it('ends a pause when somebody needs the queue', async () => {
  let looks = 0;
  const hour = 3_600_000;
  await pauseUnless(hour, () => (looks += 1) > 2);
  expect(looks).toBe(3);
});

it('pauses after each group of an import, and not after requests', async () => {
  let pauses = 0;
  const importPause = (): Promise<void> => {
    pauses += 1;
    return Promise.resolve();
  };
  const { codex, notebook, create } = await openHarness({ importPause, settings: { worker_batch_size: 10 } });
  for (let at = 0; at < 12; at += 1) await create(`n${at}.md`, 'x');
  expect(pauses).toBe(0);
  const paths = Array.from({ length: 25 }, (_, at) => `missing-${at}.md`);
  await codex.publishSync(
    notebook,
    paths.map((path) => ({ type: 'sync', path: notebookPath(path), event: 'look' })),
  );
  await create('last.md', 'x');
  await expect.poll(() => countPending(codex.store.reader, notebook.id)).toBe(0);
  expect(pauses).toBe(2);
});
