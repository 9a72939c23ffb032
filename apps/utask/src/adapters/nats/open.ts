import { delay, SECOND } from '@holdfast/base';
import {
  DiscardPolicy,
  jetstream,
  jetstreamManager,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream';
import { nanos, type NatsConnection } from '@nats-io/transport-node';
import { bucketNames, TASK_HISTORY } from '../../model/buckets.ts';
import type { Buckets } from '../../store/bucket.ts';
import { withoutPassword } from '../configuration.ts';
import { isStreamMissing, isTransient, NatsBucket, toUtaskError } from './bucket.ts';
import { connectNats, type NatsOptions } from './connection.ts';

export interface NatsBucketsOptions extends NatsOptions {
  readonly profile?: string | undefined;
}

const DUPLICATE_WINDOW_MS: number = 120 * SECOND;
const REQUEST_TIMEOUT_MS: number = 2 * SECOND;
const OPEN_TRIES = 20;
const OPEN_PAUSE_MS = 250;

/** Opens the buckets on a NATS server; creates missing ones. */
export async function openNats(options: NatsBucketsOptions): Promise<Buckets> {
  const names = bucketNames(options.profile);
  const where = withoutPassword(options.url);
  const line = await connectNats(options);
  const { connection } = line;
  try {
    const js = jetstream(connection, { timeout: REQUEST_TIMEOUT_MS });
    const jsm = await jetstreamManager(connection, { checkAPI: false, timeout: REQUEST_TIMEOUT_MS });
    await Promise.all([prepare(jsm, names.tasks, TASK_HISTORY, where), prepare(jsm, names.tags, 1, where)]);
    const parts = { connection, js, jsm, where, patienceMs: options.patienceMs };
    return {
      tasks: new NatsBucket({ ...parts, name: names.tasks }),
      tags: new NatsBucket({ ...parts, name: names.tags }),
      facts: factsOf(connection, where),
      close: () => line.close(),
    };
  } catch (error) {
    await line.close();
    throw error;
  }
}

function factsOf(connection: NatsConnection, where: string): Buckets['facts'] {
  const version = connection.info?.version ?? '0.0.0';
  return {
    backend: 'nats',
    where: `${where} (nats-server ${version})`,
    durability: 'An acknowledged change survives a crash of the server; a power cut may lose the last two minutes.',
    lacks: lackingFeatures(version),
  };
}

/** Uses the stream settings of NATS' KV clients, but not `allow_direct`, which lets a lagging replica answer a read. */
async function prepare(jsm: JetStreamManager, bucket: string, history: number, where: string): Promise<void> {
  const name = `KV_${bucket}`;
  for (let attempt = 1; ; attempt++) {
    try {
      await jsm.streams.info(name).catch(async (error: unknown) => {
        if (!isStreamMissing(error)) throw error;
        await jsm.streams.add({
          name,
          subjects: [`$KV.${bucket}.>`],
          retention: RetentionPolicy.Limits,
          storage: StorageType.File,
          discard: DiscardPolicy.New,
          max_msgs_per_subject: history,
          allow_rollup_hdrs: true,
          allow_direct: false,
          deny_delete: true,
          duplicate_window: nanos(DUPLICATE_WINDOW_MS),
          num_replicas: 1,
        });
      });
      return;
    } catch (error) {
      // A server that has just started answers before its streams are available.
      if (!isTransient(error) || attempt === OPEN_TRIES) throw toUtaskError(error, where);
      await delay(OPEN_PAUSE_MS);
    }
  }
}

interface Feature {
  readonly since: string;
  readonly lack: string;
}

/** Features of newer servers. Detected by version, because old servers accept some settings and ignore them. */
const features: readonly Feature[] = [
  { since: '2.10.0', lack: 'no sync_interval: an acknowledged change is on disk up to two minutes later (2.10)' },
  { since: '2.10.0', lack: 'no watch of several keys at once (2.10)' },
  {
    since: '2.10.27',
    lack: 'known security flaws: do not share this server with untrusted users (CVE-2025-30215, 2.10.27)',
  },
  { since: '2.11.0', lack: 'no expiry of single keys: deleted tasks leave markers until "ut gc" (2.11)' },
];

export function lackingFeatures(version: string): readonly string[] {
  return features.filter(({ since }) => isOlder(version, since)).map(({ lack }) => lack);
}

function isOlder(version: string, than: string): boolean {
  const [ours, theirs] = [numbersOf(version), numbersOf(than)];
  for (const [index, number] of theirs.entries()) {
    const own = ours[index] ?? 0;
    if (own !== number) return own < number;
  }
  return false;
}

function numbersOf(version: string): readonly number[] {
  return version.split(/[.-]/).slice(0, 3).map(Number);
}
