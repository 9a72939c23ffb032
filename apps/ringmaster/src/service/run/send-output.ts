import { inside } from '../../adapters/files.ts';
import { readLog } from '../../adapters/log-file.ts';
import { iterationPath } from '../../model/attempt.ts';
import type { MachineOutput } from '../../operations/machines.ts';
import { type Iteration, iterationsOfAttempt } from '../../store/iterations.ts';
import type { Ringmaster } from '../ringmaster.ts';

/** Less than the server's limit, because decoding replaces an invalid byte with a character of three bytes. */
const PIECE_BYTES = 64 * 1024;
const FAILURE_MAX = 65_536;

type Send = (input: Omit<MachineOutput, 'machine' | 'key'>) => Promise<{ readonly bytes: number }>;

/**
 * Sends the logs of turns to a server, piece by piece. After a restart, the server's reply says how much of a log the
 * server has.
 */
export class OutputSender {
  readonly #rm: Ringmaster;
  readonly #send: Send;
  /** Number of bytes of each turn's log that the server has; Infinity if the server accepts no more. */
  readonly #sent = new Map<string, number>();

  constructor(rm: Ringmaster, send: Send) {
    this.#rm = rm;
    this.#send = send;
  }

  async send({ token }: { readonly token: number }, attempt: number): Promise<void> {
    for (const [at, turn] of iterationsOfAttempt(this.#rm.store.reader, attempt).entries()) {
      await this.#sendTurn(token, at + 1, turn);
    }
  }

  async #sendTurn(token: number, turn: number, iteration: Iteration): Promise<void> {
    const key = `${token} ${turn}`;
    const path = inside(this.#rm.workspace.filesPath, iterationPath(iteration.task_id, iteration.number, 'log'));
    for (let offset = this.#sent.get(key) ?? 0; offset < Infinity;) {
      const piece = readLog(path, offset, PIECE_BYTES) ?? Buffer.alloc(0);
      // The decoder leaves out an incomplete character at the end; the next piece starts with it.
      const isEnd = piece.length < PIECE_BYTES;
      const hasEnded = isEnd && iteration.ended_at !== null;
      const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(piece, { stream: !hasEnded });
      const isNews = text !== '' || hasEnded || !this.#sent.has(key);
      if (!isNews) return;
      const { bytes } = await this.#send({
        token,
        turn,
        offset,
        text,
        ...(hasEnded ? { ended: endOf(iteration) } : {}),
      });
      const isComplete = bytes === offset + Buffer.byteLength(text);
      // The server accepts no more output, for example because the log is too long.
      const isStuck = !isComplete && bytes === offset;
      this.#sent.set(key, (hasEnded && isComplete) || isStuck ? Infinity : bytes);
      if (isEnd && isComplete) return;
      offset = this.#sent.get(key) ?? 0;
    }
  }
}

function endOf({ result, failure, ...turn }: Iteration): NonNullable<MachineOutput['ended']> {
  const { exit_code, cost_usd, input_tokens, output_tokens } = turn;
  return {
    result: result ?? 'interrupted',
    failure: failure?.slice(-FAILURE_MAX) ?? null,
    exit_code,
    cost_usd,
    input_tokens,
    output_tokens,
  };
}
