import type { Task } from '../model/task.ts';
import type { Unconfirmed } from './add-task.ts';
import { type UndoSteps, UndoLog } from './undo-log.ts';
import type { Utask } from './utask.ts';

/** A task list, and what one machine remembers about its own changes to it. */
export interface UtaskHost {
  readonly utask: Utask;
  readonly undoLog: UndoLog;
  readonly unconfirmed: Unconfirmed;
}

interface Remembered<Value> {
  read(): Value | undefined;
  write(value: Value | undefined): boolean;
}

export interface HostMemory {
  readonly undo: Remembered<UndoSteps>;
  readonly unconfirmed: Remembered<readonly Task[]>;
}

const nothing: Remembered<never> = { read: () => undefined, write: () => true };

/** Without memory, as on a server, nothing can be undone. */
export function hostOf(utask: Utask, memory?: HostMemory, onUnrecorded?: () => void): UtaskHost {
  return {
    utask,
    undoLog: new UndoLog(memory?.undo ?? nothing, onUnrecorded),
    unconfirmed: memory?.unconfirmed ?? nothing,
  };
}
