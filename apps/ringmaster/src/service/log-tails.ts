import { logEnd } from '../adapters/log-file.ts';
import { inside } from '../adapters/files.ts';
import { iterationPath } from '../model/iteration-files.ts';
import { iterationsOf } from '../store/iterations.ts';
import { listQueue } from '../store/ready.ts';
import type { Ringmaster } from './ringmaster.ts';

export interface LogTail {
  readonly task_id: string;
  readonly lines: readonly string[];
}

const TAIL_BYTES = 2_048;
const LINE_MAX = 200;

/** The last lines that each running worker printed, for all of them in one look. */
export function logTails(rm: Ringmaster, linesMax: number): readonly LogTail[] {
  const running = listQueue(rm.store.reader).filter(({ assigned_at }) => assigned_at !== null);
  return running.map(({ task_id }) => ({ task_id, lines: tailOf(rm, task_id).slice(-linesMax) }));
}

function tailOf(rm: Ringmaster, task: string): readonly string[] {
  const turn = iterationsOf(rm.store.reader, task).at(-1)?.number;
  if (turn === undefined) return [];
  const end = logEnd(inside(rm.workspace.filesPath, iterationPath(task, turn, 'log')), TAIL_BYTES);
  // What was cut off at the front is no line.
  const lines = end.isWhole ? end.text.split('\n') : end.text.split('\n').slice(1);
  return lines.filter((line) => line.trim() !== '').map((line) => line.slice(0, LINE_MAX));
}
