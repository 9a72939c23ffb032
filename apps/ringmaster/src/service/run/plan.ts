import { toTimestamp } from '@holdfast/base';

import { existingTask, listReady } from '../../store/tasks.ts';
import { isParked, listWorkers } from '../../store/workers.ts';
import { invocationOf } from '../../worker/command-shape.ts';
import { assemblePrompt } from '../prompt/assemble.ts';
import { refreshRanks } from '../rank.ts';
import type { Ringmaster } from '../ringmaster.ts';
import { requireUsableFolders } from './folder.ts';
import { isRunnable, mayTake, requireRunnable, settingsFor } from './settings.ts';

export interface PlannedRun {
  readonly worker_id: string;
  readonly task_id: string;
  readonly title: string;
  readonly folder: string;
  readonly command: readonly string[];
  readonly prompt: string;
}

const LOOKED_AT = 1_000;

/** Returns which worker would get which task, with which command. Claims no task. */
export async function planRun(
  rm: Ringmaster,
  { slots, project }: { readonly slots: number; readonly project: string | undefined },
): Promise<readonly PlannedRun[]> {
  await refreshRanks(rm);
  requireRunnable(rm);
  await requireUsableFolders(rm, project);
  const now = toTimestamp(rm.clock());
  const workers = listWorkers(rm.store.reader)
    .filter(isRunnable)
    .filter((worker) => worker.status !== 'offline' && worker.is_draining === 0 && !isParked(worker, now));
  const freeSlots = workers.flatMap((worker) => Array.from({ length: worker.max_concurrent }, () => worker));
  const planned: PlannedRun[] = [];
  for (const { id, title } of listReady(rm.store.reader, { project, limit: LOOKED_AT, allTypes: false })) {
    if (planned.length >= slots) break;
    const task = existingTask(rm.store.reader, id);
    const at = freeSlots.findIndex((worker) => mayTake(rm, worker, task));
    const [worker] = at < 0 ? [] : freeSlots.splice(at, 1);
    if (worker === undefined) continue;
    const settings = settingsFor(rm, task.project_id, worker.id, task);
    const { text } = await assemblePrompt(rm, id, { purpose: 'shown' });
    const { command, args, stdin } = invocationOf(settings.worker, { text, path: '<prompt.md>' });
    const bytes = Buffer.byteLength(text);
    const prompt = `prompt of ${bytes} bytes ${stdin === undefined ? 'as an argument' : 'by standard input'}`;
    const shown = args.map((word) => (word === text ? '<prompt>' : word));
    planned.push({
      worker_id: worker.id,
      task_id: id,
      title,
      folder: settings.folder,
      command: [command, ...shown],
      prompt,
    });
  }
  return planned;
}
