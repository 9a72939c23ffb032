import { isAbsolute, join } from 'node:path';

import { SECOND } from '@holdfast/base';

import { type Config, idOf, type WorkerConfig } from '../../model/config.ts';
import { ringmasterErrors } from '../../model/errors.ts';
import { type ProjectSettings, readSettings, settingsInForce } from '../../model/project-settings.ts';
import type { Task } from '../../model/task.ts';
import { textList } from '../../model/texts.ts';
import { findProject } from '../../store/projects.ts';
import { existingWorker, listWorkers, type Worker } from '../../store/workers.ts';
import type { WorkerCommand } from '../../worker/command-shape.ts';
import type { Ringmaster } from '../ringmaster.ts';

/** Settings for running a project's task with a given worker. */
export interface RunSettings {
  readonly worker: WorkerCommand & { readonly id: string; readonly name: string };
  readonly folder: string;
  readonly maxTurns: number;
  readonly timeoutMs: number;
  readonly silenceMs: number;
  readonly rateLimitPatterns: readonly string[];
  readonly testCommand: readonly string[];
  readonly review: Required<ProjectSettings>['review'];
  readonly reviewCommand: readonly string[];
  readonly autoMerge: boolean;
}

export function settingsFor(rm: Ringmaster, projectId: string, workerId: string, task?: Task): RunSettings {
  const { run } = rm.config;
  const row = existingWorker(rm.store.reader, workerId);
  const configured = configOf(rm.config, workerId);
  const own = readSettings(findProject(rm.store.reader, projectId)?.settings ?? null);
  const settings = settingsInForce(run, own);
  const folder = own.repository ?? row.working_dir ?? '';
  return {
    worker: {
      id: row.id,
      name: row.name,
      ...commandOf(row, configured, settings.test_command),
      model: task?.model ?? own.model ?? configured?.model ?? '',
      extra_args: [...(configured?.extra_args ?? []), ...settings.worker_args, ...textList(task?.worker_args ?? null)],
    },
    folder: isAbsolute(folder) ? folder : join(rm.workspace.root, folder),
    maxTurns: orDefault(configured?.max_iterations, run.max_iterations),
    timeoutMs: row.timeout_seconds * SECOND,
    silenceMs: orDefault(configured?.silence_seconds, run.silence_seconds) * SECOND,
    rateLimitPatterns: configured?.rate_limit_patterns ?? [],
    testCommand: settings.test_command,
    review: settings.review,
    reviewCommand: settings.review_command,
    autoMerge: settings.auto_merge,
  };
}

/** Returns `value`, or the general setting `all` if `value` is missing or 0. */
function orDefault(value: number | undefined, all: number): number {
  return value === undefined || value === 0 ? all : value;
}

function configOf({ workers }: Config, id: string): WorkerConfig | undefined {
  return workers.find((worker) => idOf(worker) === id);
}

/** The worker may run the test command without approval, because ringmaster runs it on the worker's changes anyway. */
const testTool = (command: readonly string[]): readonly string[] =>
  command.length === 0 ? [] : [`Bash(${command.join(' ')}:*)`];

function commandOf(
  row: Worker,
  configured: WorkerConfig | undefined,
  testCommand: readonly string[],
): Omit<WorkerCommand, 'model' | 'extra_args'> {
  return {
    type: row.type,
    command: row.command,
    args: textList(row.args),
    prompt_flag: row.prompt_flag,
    prompt: (configured?.prompt ?? '') as WorkerCommand['prompt'],
    output: (configured?.output ?? '') as WorkerCommand['output'],
    permission_mode: configured?.permission_mode ?? '',
    allowed_tools: [...(row.type === 'claude-code' ? testTool(testCommand) : []), ...(configured?.allowed_tools ?? [])],
  };
}

/** Returns whether a worker has the name or type and all capabilities that a task requires. */
export function mayTake({ store }: Ringmaster, worker: Worker, task: Task): boolean {
  const { worker: ofProject } = readSettings(findProject(store.reader, task.project_id)?.settings ?? null);
  const wanted = task.required_worker ?? ofProject ?? worker.id;
  const offered = textList(worker.capabilities);
  const isAble = textList(task.required_capabilities).every((one) => offered.includes(one));
  return isAble && [worker.id, worker.type].includes(wanted);
}

/**
 * Returns whether ringmaster can run the worker. A worker without a command runs elsewhere and claims its tasks itself.
 */
export function isRunnable(worker: Worker): boolean {
  return worker.command !== '';
}

export function requireRunnable(rm: Ringmaster): void {
  if (!listWorkers(rm.store.reader).some(isRunnable)) throw ringmasterErrors.NO_WORKERS('No worker has a command');
}
