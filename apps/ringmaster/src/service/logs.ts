import { fileExists, inside } from '../adapters/files.ts';
import { logEnd, readLog, watchFolder } from '../adapters/log-file.ts';
import { iterationPath } from '../model/attempt.ts';
import { ringmasterErrors } from '../model/errors.ts';
import type { OutputFormat } from '../model/presets.ts';
import { attemptsOf, liveAttemptOfTask } from '../store/attempts.ts';
import { iterationsOf } from '../store/iterations.ts';
import { existingTask, listQueue } from '../store/tasks.ts';
import { formatOf } from '../worker/command-shape.ts';
import { ReadableOutput } from '../worker/transcript.ts';
import type { Ringmaster } from './ringmaster.ts';
import { settingsFor } from './run/settings.ts';

/**
 * A piece of a log and the offset of its end in the file. The next read starts there, without gaps or repetitions.
 * `text` has the messages and tool calls of an agent that prints JSON; the file has its whole output.
 */
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
    const offset = number === query.from?.iteration ? query.from.offset : 0;
    yield* new TurnLog(rm, query.task, { iteration: number, offset }).read(false);
  }
}

/** Returns the numbers of the requested logs: logs of ringmaster's turns, and logs that external workers reported. */
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

/** Reads the log of one turn, starting at an offset. */
class TurnLog {
  readonly iteration: number;
  readonly #path: string;
  readonly #format: () => OutputFormat;
  #readable: ReadableOutput | undefined;
  #offset: number;

  constructor(rm: Ringmaster, task: string, { iteration, offset }: Pick<LogPiece, 'iteration' | 'offset'>) {
    this.iteration = iteration;
    this.#path = inside(rm.workspace.filesPath, iterationPath(task, iteration, 'log'));
    this.#format = () => formatOfTurn(rm, task, iteration);
    this.#offset = offset;
  }

  /** Yields new output. While the turn is live, a line without a line break may still become longer. */
  *read(isLive: boolean): Generator<LogPiece> {
    // If the log does not exist yet, its turn is not recorded yet either, so the worker is unknown.
    if (!fileExists(this.#path)) return;
    this.#readable ??= new ReadableOutput(this.#format());
    for (;;) {
      const text = this.#readable.isPlain
        ? wholeCharacters(this.#path, this.#offset)
        : wholeLines(this.#path, this.#offset, isLive);
      if (text === '') return;
      this.#offset += Buffer.byteLength(text);
      const piece = { iteration: this.iteration, offset: this.#offset, text: this.#readable.read(text) };
      if (piece.text !== '') yield piece;
    }
  }
}

/** Returns whole characters. A character that is incomplete at the end comes with the next piece. */
function wholeCharacters(path: string, offset: number): string {
  const bytes = readLog(path, offset, PIECE_BYTES) ?? new Uint8Array();
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true });
}

const NEWLINE = 0x0a;

/**
 * Returns whole lines, because only a whole line is valid JSON. At the end of a log, also returns an incomplete last
 * line.
 */
function wholeLines(path: string, offset: number, isLive: boolean): string {
  for (let bytesMax = PIECE_BYTES; ; bytesMax *= 2) {
    const bytes = readLog(path, offset, bytesMax) ?? Buffer.alloc(0);
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    if (end > 0) return bytes.toString('utf8', 0, end);
    if (bytes.length < bytesMax) return isLive ? '' : bytes.toString('utf8');
  }
}

/** Returns the format in which the worker of a turn prints its output. */
function formatOfTurn(rm: Ringmaster, task: string, iteration: number): OutputFormat {
  const tx = rm.store.reader;
  const turn = iterationsOf(tx, task).find(({ number }) => number === iteration);
  const attempt = attemptsOf(tx, task).find(({ id }) => id === turn?.attempt_id);
  if (attempt === undefined) return 'text';
  return formatOf(settingsFor(rm, existingTask(tx, task).project_id, attempt.worker_id).worker);
}

/** Yields the log so far and everything written afterwards, until the attempt ends. */
export async function* followLog(rm: Ringmaster, query: LogQuery, signal: AbortSignal): AsyncGenerator<LogPiece> {
  let log = new TurnLog(rm, query.task, query.from ?? { iteration: chosenTurns(rm, query)[0] ?? 1, offset: 0 });
  const changes = watchFolder(inside(rm.workspace.filesPath, 'tasks', query.task, 'iterations'));
  const stopListening = rm.store.database.onChange(() => changes.wake());
  const abort = (): void => changes.wake();
  signal.addEventListener('abort', abort);
  try {
    while (!signal.aborted) {
      changes.forget();
      // Checks for a live attempt before reading, so that the last read covers everything until the end of the attempt.
      const isLive = liveAttemptOfTask(rm.store.reader, query.task) !== undefined;
      for (const iteration of chosenTurns(rm, { task: query.task, from: { iteration: log.iteration, offset: 0 } })) {
        if (iteration !== log.iteration) log = new TurnLog(rm, query.task, { iteration, offset: 0 });
        yield* log.read(isLive);
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
/** Larger than `TAIL_BYTES`, because most of the output is not for people if the agent prints JSON. */
const JSON_TAIL_BYTES = 64 * 1024;
const LINE_MAX = 200;

/** Returns the last `lines` lines that each running worker printed. */
export function logTails(rm: Ringmaster, { lines: linesMax }: { readonly lines: number }): readonly LogTail[] {
  const running = listQueue(rm.store.reader).filter(({ assigned_at }) => assigned_at !== null);
  return running.map(({ task_id }) => ({ task_id, lines: tailOf(rm, task_id).slice(-linesMax) }));
}

function tailOf(rm: Ringmaster, task: string): readonly string[] {
  const turn = iterationsOf(rm.store.reader, task).at(-1)?.number;
  if (turn === undefined) return [];
  const format = formatOfTurn(rm, task, turn);
  const path = inside(rm.workspace.filesPath, iterationPath(task, turn, 'log'));
  const end = logEnd(path, format === 'text' ? TAIL_BYTES : JSON_TAIL_BYTES);
  // Drops the first line, which may be incomplete.
  const text = end.isWhole ? end.text : end.text.slice(end.text.indexOf('\n') + 1);
  const lines = new ReadableOutput(format).read(text).split('\n');
  return lines.filter((line) => line.trim() !== '').map((line) => line.slice(0, LINE_MAX));
}
