import { inside } from '../../adapters/files.ts';
import { readLog } from '../../adapters/log-file.ts';
import { iterationPath } from '../../model/attempt.ts';
import type { MachineOutput } from '../../operations/machines.ts';
import { type Iteration, iterationsOfAttempt } from '../../store/iterations.ts';
import type { Ringmaster } from '../ringmaster.ts';

/** Fewer bytes than the server accepts, because a broken character of one byte becomes three. */
const PIECE_BYTES = 64 * 1024;
const FAILURE_MAX = 65_536;

type Send = (input: Omit<MachineOutput, 'machine' | 'key'>) => Promise<{ readonly bytes: number }>;

/** Sends the logs of turns to a server, piece by piece. After a restart, the server says how much it has. */
export class OutputSender {
  readonly #rm: Ringmaster;
  readonly #send: Send;
  /** Bytes that the server has of each turn; Infinity for a turn that has ended there. */
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
      // An incomplete character at the end comes with the next piece.
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
      // The server does not take more, for example because the log is too long.
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
