import { SECOND } from '@holdfast/base';
import { AckPolicy, DeliverPolicy, type JetStreamClient, type JsMsg } from '@nats-io/jetstream';
import { nanos, TimeoutError } from '@nats-io/transport-node';
import type { Entry } from '../../store/bucket.ts';

export interface ConsumerParts {
  readonly js: JetStreamClient;
  readonly stream: string;
  readonly prefix: string;
  readonly deliver: 'last' | 'all' | 'new';
  readonly key: string;
}

export const OPERATION = 'KV-Operation';
const policies = { last: DeliverPolicy.LastPerSubject, all: DeliverPolicy.All, new: DeliverPolicy.New } as const;
const HEARTBEAT_MS: number = 5 * SECOND;

/**
 * Reads all current entries and ends. A server that is silent for `silenceMs` is lost,
 * and so is a recreated consumer, which would not continue at the same entry.
 */
export async function collect(
  parts: ConsumerParts,
  silenceMs: number,
  onMessage: (message: JsMsg) => void,
): Promise<void> {
  const consumer = await makeConsumer(parts);
  const { num_pending: pending } = await consumer.info(true);
  if (pending === 0) return;
  const end = new Signal();
  let received = 0;
  let isLost = false;
  const lose = (): void => {
    isLost = true;
    end.set();
  };
  const silence = setTimeout(lose, silenceMs);
  const messages = await consumer.consume({
    callback: (message) => {
      silence.refresh();
      received += 1;
      if (message.info.deliverySequence !== received) lose();
      if (isLost) return;
      onMessage(message);
      if (received === pending) end.set();
    },
  });
  void (async () => {
    // The server's count may be wrong, and it also reports that nothing is left while it waits for us.
    for await (const { type } of messages.status()) {
      if (type !== 'heartbeat') continue;
      const now = await consumer.info().catch(() => undefined);
      if (now?.num_pending === 0 && now.delivered.consumer_seq === received) end.set();
    }
  })();
  await end.next();
  clearTimeout(silence);
  messages.stop();
  if (isLost) throw new TimeoutError();
}

/** Entries written from now on. Recreates a consumer that was lost with its server, and continues where it was. */
export async function follow(parts: ConsumerParts, signal: AbortSignal): Promise<AsyncIterable<Entry>> {
  const consumer = await makeConsumer(parts);
  const waiting: Entry[] = [];
  const more = new Signal();
  const messages = await consumer.consume({
    callback: (message) => {
      waiting.push(toEntry(parts.prefix, message));
      more.set();
    },
  });
  signal.addEventListener('abort', () => more.set());
  return (async function* entries() {
    try {
      while (!signal.aborted) {
        const entry = waiting.shift();
        if (entry === undefined) await more.next();
        else yield entry;
      }
    } finally {
      messages.stop();
    }
  })();
}

/** Stays set until it is awaited. */
class Signal {
  #isSet = false;
  #wake: (() => void) | undefined;

  set(): void {
    this.#isSet = true;
    this.#wake?.();
  }

  async next(): Promise<void> {
    if (!this.#isSet) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    this.#isSet = false;
  }
}

function makeConsumer({ js, stream, prefix, deliver, key }: ConsumerParts) {
  return js.consumers.getPushConsumer(stream, {
    deliver_policy: policies[deliver],
    ack_policy: AckPolicy.None,
    filter_subject: prefix + key,
    flow_control: true,
    idle_heartbeat: nanos(HEARTBEAT_MS),
  } as never);
}

/** Decodes only what a scan needs, because the rest is slow. */
export function keyAndValue(prefix: string, message: JsMsg): Pick<Entry, 'key' | 'value'> {
  // Deletions are empty. Reading the headers of all other messages would dominate a scan.
  const isDeletion = message.data.length === 0 && (message.headers?.get(OPERATION) ?? '') !== '';
  return { key: message.subject.slice(prefix.length), value: isDeletion ? undefined : message.string() };
}

export function toEntry(prefix: string, message: JsMsg): Entry {
  return {
    ...keyAndValue(prefix, message),
    revision: message.seq,
    at: message.info.timestampNanos / 1_000_000,
  };
}
