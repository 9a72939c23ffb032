import { failpoint } from '@holdfast/base';

import { inside, sha256, writeImmutable } from '../adapters/files.ts';
import { ringmasterErrors } from '../model/errors.ts';
import { type FailureClass, iterationPath, type ReportStatus } from '../model/attempt.ts';
import type { Task } from '../model/task.ts';
import { type Attempt, liveAttempt, type Outcome } from '../store/attempts.ts';
import { registerFile } from '../store/files.ts';
import { lastIterationNumber } from '../store/iterations.ts';
import { finishAttempt } from './finish-attempt.ts';
import { writeTaskFiles } from './projections.ts';
import { callOf, type Ringmaster } from './ringmaster.ts';

export interface Report {
  readonly token: number;
  readonly status: ReportStatus;
  readonly failure_class?: FailureClass | undefined;
  readonly reason?: string | undefined;
  /** Everything the worker printed; stored as the log of this iteration. */
  readonly output?: string | undefined;
  /** Refused if the token is for another task. */
  readonly task?: string | undefined;
}

const outcomes: Readonly<Record<ReportStatus, Outcome>> = {
  completed: 'succeeded',
  failed: 'failed',
  review: 'review',
  blocked: 'blocked',
  released: 'released',
};

/** Ends an attempt. A stale token changes neither the task nor its files. */
export async function report(rm: Ringmaster, input: Report): Promise<Task> {
  const attempt = liveAttempt(rm.store.reader, input.token);
  if (input.task !== undefined && input.task !== attempt.task_id) {
    throw ringmasterErrors.ATTEMPT_NOT_FOUND(`Token ${input.token} is for ${attempt.task_id}, not for ${input.task}`);
  }
  const file = input.output === undefined ? undefined : keepOutput(rm, attempt, Buffer.from(input.output));
  failpoint('ringmaster.report.file');
  const task = await rm.store.write(`report ${input.token}`, (tx) => {
    const call = callOf(rm);
    const live = liveAttempt(tx, input.token);
    if (file !== undefined) registerFile(tx, { ...file, kind: 'iteration', created_at: call.now });
    return finishAttempt(tx, rm, call, live, {
      outcome: outcomes[input.status],
      failureClass: input.failure_class ?? (input.status === 'failed' ? 'task' : null),
      reason: input.reason ?? null,
      outputPath: file?.path ?? null,
    });
  });
  writeTaskFiles(rm, task.id);
  return task;
}

/** Writes the file before anything refers to it, numbered after all turns so far. */
function keepOutput(
  rm: Ringmaster,
  { task_id, number }: Attempt,
  output: Uint8Array,
): { readonly path: string; readonly bytes: number; readonly sha256: string } {
  const path = iterationPath(task_id, Math.max(number, lastIterationNumber(rm.store.reader, task_id) + 1), 'log');
  writeImmutable(inside(rm.workspace.filesPath, path), output);
  return { path, bytes: output.length, sha256: sha256(output) };
}
