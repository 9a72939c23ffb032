import { writeFileDurablySync } from '@holdfast/base';
import { fileExists, inside, readText, sha256 } from '../../adapters/files.ts';
import { iterationPath } from '../../model/attempt.ts';
import { recordEvent } from '../../store/events.ts';
import { registerFile } from '../../store/files.ts';
import { type Iteration, iterationsOf, updateIteration } from '../../store/iterations.ts';
import { logEnd } from '../../worker/log-format.ts';
import { callOf, type Ringmaster } from '../ringmaster.ts';

/**
 * Closes the turn of a dead supervisor exactly once, although two supervisors may try: the log is written under the
 * lock, by the one that finds the turn open. It is replaced, not appended to, so that a process with the old file open
 * does no harm.
 */
export async function interruptTurn(rm: Ringmaster, turn: Iteration): Promise<void> {
  const path = iterationPath(turn.task_id, turn.number, 'log');
  const file = inside(rm.workspace.filesPath, path);
  await rm.store.write(`run ${turn.task_id}: turn ${turn.number} interrupted`, (tx) => {
    const isOpen = iterationsOf(tx, turn.task_id).some(
      ({ number, ended_at }) => number === turn.number && ended_at === null,
    );
    if (!isOpen) return;
    const call = callOf(rm);
    const now = Date.parse(call.now);
    const soFar = fileExists(file) ? readText(file) : '';
    const content = Buffer.from(`${soFar}${logEnd('interrupted', now - Date.parse(turn.started_at), now)}`);
    writeFileDurablySync(file, content);
    registerFile(tx, { path, kind: 'iteration', bytes: content.length, sha256: sha256(content), created_at: call.now });
    updateIteration(tx, turn.task_id, turn.number, { result: 'interrupted', ended_at: call.now, log_path: path });
    recordEvent(tx, call, {
      type: 'iteration_ended',
      entity: 'task',
      id: turn.task_id,
      data: { token: turn.attempt_id, iteration: turn.number, result: 'interrupted' },
    });
  });
}
