import { fileExists, inside, readText } from '../adapters/files.ts';
import { ringmasterErrors } from '../model/errors.ts';
import { iterationPath } from '../model/attempt.ts';
import { iterationsOf } from '../store/iterations.ts';
import { assembliesOf, type PromptAssembly } from '../store/prompt-assemblies.ts';
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

/** The prompt of a turn; for the last one also which parts were considered. */
export function recordedPrompt(
  rm: Ringmaster,
  { task: id, iteration: wanted }: { readonly task: string; readonly iteration?: number | undefined },
): RecordedPrompt {
  const tx = rm.store.reader;
  const task = existingTask(tx, id);
  const last = iterationsOf(tx, task.id).at(-1)?.number;
  const iteration = wanted ?? last;
  const path = inside(rm.workspace.filesPath, iterationPath(task.id, iteration ?? 0, 'prompt.md'));
  if (iteration === undefined || !fileExists(path)) {
    throw ringmasterErrors.PROMPT_NOT_FOUND(`No prompt of ${id} is stored`, {
      hint: `No worker has started it. 'ringmaster prompt ${id}' shows the prompt it would get.`,
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

/** What was considered for the last prompt of a task, whether a worker got it or a person only looked at it. */
export function lastAssembly(
  { store }: Ringmaster,
  { task: id }: { readonly task: string },
): Omit<PromptAssembly, 'considered'> & { readonly considered: readonly RecordedPart[] } {
  const { id: task } = existingTask(store.reader, id);
  const [last] = assembliesOf(store.reader, task, 1);
  if (last === undefined) {
    throw ringmasterErrors.PROMPT_NOT_FOUND(`No prompt was assembled for ${task} yet`, {
      hint: `'ringmaster prompt ${task}' assembles one.`,
    });
  }
  return { ...last, considered: JSON.parse(last.considered) as readonly RecordedPart[] };
}
