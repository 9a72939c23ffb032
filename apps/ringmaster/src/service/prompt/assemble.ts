import { parseStoredList, parseStoredObject } from '@holdfast/base';
import { isAbsolute, join } from 'node:path';

import { fileExists, inside, readText, sha256 } from '../../adapters/files.ts';
import { iterationPath } from '../../model/attempt.ts';
import type { Config } from '../../model/config.ts';
import { ringmasterErrors } from '../../model/errors.ts';
import { choose, type Considered, type SourceLimit } from '../../model/prompt/choose.ts';
import { briefOf, frameOf, layOut } from '../../model/prompt/layout.ts';
import { namesIn, type Query, termsOf } from '../../model/prompt/relevance.ts';
import { tokensOf } from '../../model/prompt/tokens.ts';
import type { Task } from '../../model/task.ts';
import type { RecordedPrompt } from '../../operations/tasks.ts';
import { runOf } from '../../store/attempt-runs.ts';
import { liveAttemptOfTask } from '../../store/attempts.ts';
import { iterationsOf } from '../../store/iterations.ts';
import { findProject } from '../../store/projects.ts';
import { assembliesOf, type PromptAssembly, recordAssembly } from '../../store/prompt-assemblies.ts';
import { existingTask } from '../../store/tasks.ts';
import { recordProjectFiles } from '../backup.ts';
import { callOf, type Ringmaster } from '../ringmaster.ts';
import {
  codeCandidates,
  documentCandidates,
  historyCandidates,
  resultCandidates,
  taskCandidates,
} from './candidates.ts';

export interface AssembledPrompt {
  readonly assembly: number;
  readonly task_id: string;
  readonly text: string;
  readonly tokens: number;
  readonly budget_tokens: number;
  /** SHA-256 of the text. */
  readonly sha256: string;
  readonly considered: readonly RecordedPart[];
}

/** A recorded candidate, with the hash of the part that was used. */
export interface RecordedPart extends Considered {
  readonly bytes: number;
  readonly sha256: string | null;
}

export interface AssembleOptions {
  readonly purpose: 'run' | 'shown';
  readonly budgetTokens?: number | undefined;
  /** True to leave out the title and the instructions, because another machine adds them. */
  readonly isBrief?: boolean;
}

/** Maximum share of the budget that is left free for the answer. */
const HEADROOM_SHARE_MAX = 0.25;
/** Maximum number of unused candidates that are recorded per source. */
const LEFT_OUT_RECORDED = 30;

/** Assembles useful context for a task within the budget, and records which candidates were used and which were not. */
export async function assemblePrompt(
  rm: Ringmaster,
  taskId: string,
  { purpose, budgetTokens = rm.config.prompt.budget_tokens, isBrief = false }: AssembleOptions,
): Promise<AssembledPrompt> {
  const started = performance.now();
  await recordProjectFiles(rm);
  const tx = rm.store.reader;
  const task = existingTask(tx, taskId);
  const query = queryOf(task);
  const { prompt } = rm.config;
  const code = { maxTokens: prompt.code_tokens, now: rm.clock() };
  const candidates = [
    ...taskCandidates(tx, task),
    ...documentCandidates(rm, task.project_id, query),
    ...historyCandidates(tx, task, prompt.chat_messages),
    ...resultCandidates(rm, task, prompt.results_tokens),
    ...(await codeCandidates(repositoryOf(rm, task), query, code)),
  ];
  const attempt = liveAttemptOfTask(tx, task.id);
  const isOnItsOwn = attempt !== undefined && runOf(tx, attempt.id) === undefined;
  const frame = { id: task.id, title: task.title, token: isOnItsOwn ? attempt.id : undefined };
  const headroom = Math.min(prompt.headroom_tokens, Math.floor(budgetTokens * HEADROOM_SHARE_MAX));
  const room = Math.max(0, budgetTokens - headroom - tokensOf(frameOf(frame)));
  const { chosen, considered } = choose(candidates, limitsOf(rm.config, room), room);
  const text = isBrief ? briefOf(chosen) : layOut({ ...frame, chosen });
  const bytes = Buffer.from(text);
  const texts = new Map(chosen.map((part) => [`${part.source} ${part.name}`, Buffer.from(part.text)]));
  const recorded = worthRecording(considered).map((part): RecordedPart => {
    const included = texts.get(`${part.source} ${part.name}`);
    return { ...part, bytes: included?.length ?? 0, sha256: included === undefined ? null : sha256(included) };
  });
  const result = { task_id: task.id, tokens: tokensOf(text), budget_tokens: budgetTokens, sha256: sha256(bytes) };
  const assembly = await rm.store.write(`prompt of ${task.id}`, (connection) =>
    recordAssembly(connection, {
      ...result,
      purpose,
      created_at: callOf(rm).now,
      duration_ms: Math.round(performance.now() - started),
      bytes: bytes.length,
      considered: JSON.stringify(recorded),
    }),
  );
  return { assembly, ...result, text, considered: recorded };
}

/** Assembles a prompt for people. It is recorded as `shown`, to distinguish it from a prompt that a worker got. */
export function previewPrompt(
  rm: Ringmaster,
  { task, budget_tokens }: { readonly task: string; readonly budget_tokens?: number | undefined },
): Promise<AssembledPrompt> {
  return assemblePrompt(rm, task, { purpose: 'shown', budgetTokens: budget_tokens });
}

function queryOf({ title, description }: Task): Query {
  const text = `${title}\n${description ?? ''}`;
  // Repeats the title, so that its words count twice.
  return { terms: termsOf(`${title}\n${text}`), names: namesIn(text) };
}

/** Returns the sources and their limits, most important first. */
function limitsOf({ prompt }: Config, room: number): SourceLimit[] {
  const always = 0;
  return [
    { source: 'task', maxTokens: room, threshold: always },
    { source: 'failure', maxTokens: Math.floor(room / 4), threshold: always },
    { source: 'decisions', maxTokens: Math.floor(room / 4), threshold: always },
    { source: 'project', maxTokens: prompt.project_tokens, threshold: always },
    { source: 'results', maxTokens: prompt.results_tokens, threshold: always },
    { source: 'chat', maxTokens: prompt.chat_tokens, threshold: always },
    { source: 'summaries', maxTokens: prompt.summaries_tokens, threshold: always },
    { source: 'context', maxTokens: prompt.context_tokens, threshold: prompt.context_threshold },
    { source: 'code', maxTokens: prompt.code_tokens, threshold: prompt.code_threshold },
  ];
}

function worthRecording(considered: readonly Considered[]): Considered[] {
  const leftOut = new Map<string, number>();
  return considered.filter(({ source, verdict }) => {
    if (verdict !== 'left out') return true;
    const count = (leftOut.get(source) ?? 0) + 1;
    leftOut.set(source, count);
    return count <= LEFT_OUT_RECORDED;
  });
}

/** Returns the project's code folder: its `repository`, or the workspace root. */
function repositoryOf(rm: Ringmaster, { project_id }: Task): string {
  const settings = findProject(rm.store.reader, project_id)?.settings ?? null;
  const parsed = (settings === null || settings === '' ? {} : parseStoredObject(settings)) as {
    readonly repository?: unknown;
  };
  const folder = typeof parsed.repository === 'string' ? parsed.repository : '';
  return isAbsolute(folder) ? folder : join(rm.workspace.root, folder);
}

/**
 * Returns the prompt of a turn, by default the last one. Includes the list of considered parts only for the last turn.
 * Before the first turn, returns the last preview.
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
  const { purpose, sha256: hash, tokens, budget_tokens, considered } = assembly;
  return {
    purpose,
    sha256: hash,
    tokens,
    budget_tokens,
    considered: parseStoredList(considered) as readonly RecordedPart[],
  };
}

function notFound(task: string): Error {
  return ringmasterErrors.PROMPT_NOT_FOUND(`No prompt is stored for ${task}`, {
    hint: `'ringmaster prompt ${task}' shows the prompt that a worker would get.`,
  });
}
