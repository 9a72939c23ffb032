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
 * Reads all current entries and ends. Fails if the server is silent for `silenceMs`. Also fails if the consumer was
 * recreated, because the new one would not continue at the same entry.
 */
export async function collect(
  parts: ConsumerParts,
  silenceMs: number,
  onMessage: (message: JsMsg) => void,
): Promise<void> {
  const consumer = await makeConsumer(parts);
  const { num_pending: pending } = await consumer.info(true);
  if (pending === 0) return;
  let received = 0;
  let finish: ((isComplete: boolean) => void) | undefined;
  const finished = new Promise<boolean>((resolve) => {
    finish = resolve;
  });
  const silence = setTimeout(() => finish?.(false), silenceMs);
  const messages = await consumer.consume({
    callback: (message) => {
      silence.refresh();
      received += 1;
      if (message.info.deliverySequence !== received) return finish?.(false);
      onMessage(message);
      if (received === pending) finish?.(true);
    },
  });
  void (async () => {
    // The server's first count may be too high. A heartbeat shows that no entries are left.
    for await (const { type } of messages.status()) {
      if (type !== 'heartbeat') continue;
      const now = await consumer.info().catch(() => undefined);
      if (now?.num_pending === 0 && now.delivered.consumer_seq === received) finish?.(true);
    }
  })();
  const isComplete = await finished;
  clearTimeout(silence);
  messages.stop();
  if (!isComplete) throw new TimeoutError();
}

/** Yields all entries that are written from now on. Recreates a lost consumer and continues after the last entry. */
export async function follow(parts: ConsumerParts, signal: AbortSignal): Promise<AsyncIterable<Entry>> {
  const consumer = await makeConsumer(parts);
  const messages = await consumer.consume();
  signal.addEventListener('abort', () => messages.stop());
  return (async function* entries() {
    try {
      for await (const message of messages) yield toEntry(parts.prefix, message);
    } finally {
      messages.stop();
    }
  })();
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

/** Decodes only key and value, because decoding everything would slow down a scan. */
export function keyAndValue(prefix: string, message: JsMsg): Pick<Entry, 'key' | 'value'> {
  // Reading headers is slow. Only a message without data can be a deletion, so only its headers are read.
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
