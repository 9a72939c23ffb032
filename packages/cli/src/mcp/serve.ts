import { Readable } from 'node:stream';

import type { Tool } from './bind-tool.ts';
import type { Schedule, ServedTools, ServerInfo } from './server.ts';

interface ServeOptions {
  /** Runs one call at a time, for tools whose effects depend on their order. */
  readonly isOrdered?: boolean;
}

/** Serves tools on standard input and output until the input ends and all calls are answered. */
export async function serveTools(
  tools: readonly Tool[],
  info: ServerInfo,
  { isOrdered = false }: ServeOptions = {},
): Promise<void> {
  const { serveStdio, StdioServerTransport, toolServer } = await import('./server.ts');
  const calls = new Calls(isOrdered);
  const transport = new StdioServerTransport(Readable.from(untilAnswered(process.stdin, calls)));
  await new Promise<void>((ended) => {
    serveStdio(() => toolServer(info, { tools, schedule: calls.schedule }), { transport });
    const { onclose } = transport;
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport is not an event target
    transport.onclose = () => {
      onclose?.();
      ended();
    };
  });
  // A client that dies closes both streams at once, but the changes it requested must still be completed.
  await calls.settled();
}

/**
 * Answers one HTTP request (Streamable HTTP). The server keeps no sessions: every request is self-contained, so agents
 * do not notice when the server restarts.
 */
export async function answerRequest(request: Request, info: ServerInfo, served: ServedTools): Promise<Response> {
  const { createMcpHandler, toolServer } = await import('./server.ts');
  // The tools never change, so there is nothing to subscribe to.
  return createMcpHandler(() => toolServer(info, served), { maxSubscriptions: 0 }).fetch(request);
}

class Calls {
  readonly #running = new Set<Promise<unknown>>();
  readonly #isOrdered: boolean;

  constructor(isOrdered: boolean) {
    this.#isOrdered = isOrdered;
  }

  readonly schedule: Schedule = (work) => {
    const before = this.#isOrdered ? [...this.#running].at(-1) : undefined;
    const call = before === undefined ? work() : before.then(work, work);
    this.#running.add(call);
    const forget = (): unknown => this.#running.delete(call);
    call.then(forget, forget);
    return call;
  };

  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
  }
}

/**
 * Delays the end of the input until all calls are answered, because the library stops at the end of the input without
 * answering open calls.
 */
async function* untilAnswered(input: AsyncIterable<Uint8Array>, calls: Calls): AsyncGenerator<Uint8Array> {
  yield* input;
  await nextTurn();
  await calls.settled();
  // The library sends the answer shortly after the call has ended.
  await nextTurn();
}

function nextTurn(): Promise<void> {
  return new Promise((done) => {
    setImmediate(done);
  });
}
