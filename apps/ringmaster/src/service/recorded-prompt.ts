import { fileExists, inside, readText } from '../adapters/files.ts';
import { ringmasterErrors } from '../model/errors.ts';
import { iterationPath } from '../model/iteration-files.ts';
import { iterationsOf } from '../store/iterations.ts';
import { assembliesOf } from '../store/prompt-assemblies.ts';
import { existingTask } from '../store/tasks.ts';
import type { RecordedPart } from './prompt/assemble.ts';
import type { Ringmaster } from './ringmaster.ts';

export interface RecordedPrompt {
  readonly iteration: number;
  readonly text: string;
  readonly tokens: number | null;
  readonly budget_tokens: number | null;
  readonly considered: readonly RecordedPart[];
}

/** What a worker was told in a turn, and of the last one also what was considered for it. */
export function recordedPrompt(rm: Ringmaster, id: string, wanted?: number): RecordedPrompt {
  const tx = rm.store.reader;
  const task = existingTask(tx, id);
  const last = iterationsOf(tx, task.id).at(-1)?.number;
  const iteration = wanted ?? last;
  const path = inside(rm.workspace.filesPath, iterationPath(task.id, iteration ?? 0, 'prompt.md'));
  if (iteration === undefined || !fileExists(path)) {
    throw ringmasterErrors.PROMPT_NOT_FOUND(`No prompt of ${id} is kept`, {
      hint: `A worker has not begun with it. 'ringmaster prompt ${id}' shows what it would be told.`,
    });
  }
  const assembly =
    iteration === last ? assembliesOf(tx, task.id, 10).find(({ purpose }) => purpose === 'run') : undefined;
  return {
    iteration,
    text: readText(path),
    tokens: assembly?.tokens ?? null,
    budget_tokens: assembly?.budget_tokens ?? null,
    considered: assembly === undefined ? [] : (JSON.parse(assembly.considered) as RecordedPart[]),
  };
}
