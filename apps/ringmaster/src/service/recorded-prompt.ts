import { fileExists, inside, readText } from '../adapters/files.ts';
import { iterationPath } from '../model/attempt.ts';
import { ringmasterErrors } from '../model/errors.ts';
import { iterationsOf } from '../store/iterations.ts';
import { assembliesOf, type PromptAssembly } from '../store/prompt-assemblies.ts';
import { existingTask } from '../store/tasks.ts';
import type { RecordedPart } from './prompt/assemble.ts';
import type { Ringmaster } from './ringmaster.ts';

export interface RecordedPrompt {
  readonly iteration: number | null;
  readonly text: string;
  readonly purpose: PromptAssembly['purpose'] | null;
  readonly sha256: string | null;
  readonly tokens: number | null;
  readonly budget_tokens: number | null;
  readonly considered: readonly RecordedPart[];
}

/**
 * Returns the prompt of a turn, with the parts considered for it if it is the last; before the first turn, the last
 * preview.
 */
export function recordedPrompt(
  rm: Ringmaster,
  { task: id, iteration: wanted }: { readonly task: string; readonly iteration?: number | undefined },
): RecordedPrompt {
  const tx = rm.store.reader;
  const task = existingTask(tx, id);
  const last = iterationsOf(tx, task.id).at(-1)?.number;
  const iteration = wanted ?? last;
  const assemblies = assembliesOf(tx, task.id, 10);
  if (iteration === undefined) {
    const [preview] = assemblies;
    if (preview === undefined) throw notFound(id);
    return { iteration: null, text: '', ...assembled(preview) };
  }
  const path = inside(rm.workspace.filesPath, iterationPath(task.id, iteration, 'prompt.md'));
  if (!fileExists(path)) throw notFound(id);
  const assembly = iteration === last ? assemblies.find(({ purpose }) => purpose === 'run') : undefined;
  return { iteration, text: readText(path), ...assembled(assembly) };
}

function assembled(assembly: PromptAssembly | undefined): Omit<RecordedPrompt, 'iteration' | 'text'> {
  if (assembly === undefined) return { purpose: null, sha256: null, tokens: null, budget_tokens: null, considered: [] };
  const { purpose, sha256, tokens, budget_tokens, considered } = assembly;
  return { purpose, sha256, tokens, budget_tokens, considered: JSON.parse(considered) as RecordedPart[] };
}

function notFound(task: string): Error {
  return ringmasterErrors.PROMPT_NOT_FOUND(`No prompt of ${task} is stored`, {
    hint: `'ringmaster prompt ${task}' shows the prompt that a worker would get.`,
  });
}
