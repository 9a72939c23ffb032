import { inside } from '../adapters/files.ts';
import { logEnd, readLog, watchFolder } from '../adapters/log-file.ts';
import { iterationPath } from '../model/attempt.ts';
import { ringmasterErrors } from '../model/errors.ts';
import { attemptsOf, liveAttemptOfTask } from '../store/attempts.ts';
import { iterationsOf } from '../store/iterations.ts';
import { existingTask, listQueue } from '../store/tasks.ts';
import type { Ringmaster } from './ringmaster.ts';

/** A piece of a log and the offset of its end. The next read starts there, without gaps or repetitions. */
export interface LogPiece {
  readonly iteration: number;
  readonly offset: number;
  readonly text: string;
}

export interface LogQuery {
  readonly task: string;
  readonly attempt?: number | undefined;
  readonly from?: { readonly iteration: number; readonly offset: number } | undefined;
}

const PIECE_BYTES = 64 * 1024;

export function* readLogs(rm: Ringmaster, query: LogQuery): Generator<LogPiece> {
  const turns = chosenTurns(rm, query);
  if (turns.length === 0) throw ringmasterErrors.LOG_NOT_FOUND(`${query.task} has no log`);
  for (const number of turns) {
    yield* pieces(rm, query.task, number, number === query.from?.iteration ? query.from.offset : 0);
  }
}

/** Numbers of the requested logs: those of ringmaster's turns, and those that external workers reported. */
function chosenTurns(rm: Ringmaster, { task, attempt, from }: LogQuery): number[] {
  existingTask(rm.store.reader, task);
  const attempts = attemptsOf(rm.store.reader, task);
  const turns = iterationsOf(rm.store.reader, task).map(({ number, attempt_id }) => ({ number, attempt_id }));
  const reported = attempts.flatMap(({ id, output_path }) => {
    const number = Number(/(\d+)\.log$/.exec(output_path ?? '')?.[1]);
    return Number.isNaN(number) || turns.some((turn) => turn.number === number) ? [] : [{ number, attempt_id: id }];
  });
  const all = [...turns, ...reported].sort((left, right) => left.number - right.number);
  const numbers = (chosen: typeof all): number[] => chosen.map(({ number }) => number);
  if (from !== undefined) return numbers(all.filter(({ number }) => number >= from.iteration));
  if (attempt === undefined) return numbers(all.slice(-1));
  const token = attempts.find(({ number }) => number === attempt)?.id;
  return numbers(all.filter(({ attempt_id }) => attempt_id === token));
}

/** Yields only whole characters. A character that is incomplete at the end comes with the next piece. */
function* pieces(rm: Ringmaster, task: string, iteration: number, from: number): Generator<LogPiece> {
  const path = inside(rm.workspace.filesPath, iterationPath(task, iteration, 'log'));
  for (let offset = from; ;) {
    const bytes = readLog(path, offset, PIECE_BYTES);
    if (bytes === undefined || bytes.length === 0) return;
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true });
    if (text === '') return;
    offset += Buffer.byteLength(text);
    yield { iteration, offset, text };
  }
}

/** Yields the log so far and everything written afterwards, until the attempt ends. */
export async function* followLog(rm: Ringmaster, query: LogQuery, signal: AbortSignal): AsyncGenerator<LogPiece> {
  let at = query.from ?? { iteration: chosenTurns(rm, query)[0] ?? 1, offset: 0 };
  const changes = watchFolder(inside(rm.workspace.filesPath, 'tasks', query.task, 'iterations'));
  const stopListening = rm.store.database.onChange(() => changes.wake());
  const abort = (): void => changes.wake();
  signal.addEventListener('abort', abort);
  try {
    while (!signal.aborted) {
      changes.forget();
      // Checked before reading, so that the last read covers everything until the end of the attempt.
      const isLive = liveAttemptOfTask(rm.store.reader, query.task) !== undefined;
      for (const number of chosenTurns(rm, { task: query.task, from: at })) {
        const offset = number === at.iteration ? at.offset : 0;
        for (const piece of pieces(rm, query.task, number, offset)) {
          at = { iteration: piece.iteration, offset: piece.offset };
          yield piece;
        }
      }
      if (!isLive) return;
      await changes.next();
    }
  } finally {
    signal.removeEventListener('abort', abort);
    stopListening();
    changes.close();
  }
}

export interface LogTail {
  readonly task_id: string;
  readonly lines: readonly string[];
}

const TAIL_BYTES = 2_048;
const LINE_MAX = 200;

/** Returns the last `lines` lines that each running worker printed. */
export function logTails(rm: Ringmaster, { lines: linesMax }: { readonly lines: number }): readonly LogTail[] {
  const running = listQueue(rm.store.reader).filter(({ assigned_at }) => assigned_at !== null);
  return running.map(({ task_id }) => ({ task_id, lines: tailOf(rm, task_id).slice(-linesMax) }));
}

function tailOf(rm: Ringmaster, task: string): readonly string[] {
  const turn = iterationsOf(rm.store.reader, task).at(-1)?.number;
  if (turn === undefined) return [];
  const end = logEnd(inside(rm.workspace.filesPath, iterationPath(task, turn, 'log')), TAIL_BYTES);
  // Drops the first line, which may be incomplete.
  const lines = end.isWhole ? end.text.split('\n') : end.text.split('\n').slice(1);
  return lines.filter((line) => line.trim() !== '').map((line) => line.slice(0, LINE_MAX));
}
