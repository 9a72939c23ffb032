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
import { utaskErrors } from '../../model/errors.ts';
import type { Buckets, Replication } from '../../store/bucket.ts';
import { withoutPassword } from '../configuration.ts';
import { isStreamMissing, isTransient, NatsBucket, toUtaskError } from './bucket.ts';
import { connectNats, type NatsOptions, PATIENCE_MS } from './connection.ts';

export interface NatsBucketsOptions extends NatsOptions {
  readonly profile?: string | undefined;
  /** Number of replicas of new and existing buckets. Undefined leaves existing buckets unchanged. */
  readonly replicas?: number | undefined;
}

const DUPLICATE_WINDOW_MS: number = 120 * SECOND;
const REQUEST_TIMEOUT_MS: number = 2 * SECOND;
const OPEN_PAUSE_MS = 250;

/** Opens the buckets on a NATS server; creates missing ones. */
export async function openNats(options: NatsBucketsOptions): Promise<Buckets> {
  const names = bucketNames(options.profile);
  const where = withoutPassword(options.url);
  const deadline = Date.now() + (options.patienceMs ?? PATIENCE_MS);
  const line = await connectNats(options);
  const { connection } = line;
  try {
    const js = jetstream(connection, { timeout: REQUEST_TIMEOUT_MS });
    const jsm = await jetstreamManager(connection, { checkAPI: false, timeout: REQUEST_TIMEOUT_MS });
    const { replicas } = options;
    // A single server accepts any number of replicas, but stores only one copy.
    const isCluster = connection.info?.cluster !== undefined;
    if (!isCluster && replicas !== undefined && replicas > 1) {
      throw utaskErrors.BAD_CONFIGURATION(`${where} is a single server and cannot store ${replicas} replicas.`, {
        hint: 'Use a server in a NATS cluster, or omit --replicas.',
      });
    }
    const [tasks, tags] = await Promise.all([
      prepare(jsm, { bucket: names.tasks, history: TASK_HISTORY, replicas, where, deadline }),
      prepare(jsm, { bucket: names.tags, history: 1, replicas, where, deadline }),
    ]);
    const parts = { connection, js, jsm, where, patienceMs: options.patienceMs };
    return {
      tasks: new NatsBucket({ ...parts, name: names.tasks, isReplicated: isCluster && tasks > 1 }),
      tags: new NatsBucket({ ...parts, name: names.tags, isReplicated: isCluster && tags > 1 }),
      facts: factsOf(connection, where, isCluster ? tasks : 1),
      replication: () => Promise.all([names.tasks, names.tags].map((name) => replicationOf(jsm, name, where))),
      close: () => line.close(),
    };
  } catch (error) {
    await line.close();
    throw error;
  }
}

async function replicationOf(jsm: JetStreamManager, bucket: string, where: string): Promise<Replication> {
  try {
    const { config, cluster } = await jsm.streams.info(`KV_${bucket}`);
    // The server omits a lag of 0.
    const followers = (cluster?.replicas ?? []).map(({ name, current, lag }) => ({
      name,
      is_current: current,
      lag: lag || 0,
    }));
    const leader = cluster?.leader ?? '';
    const replicas = cluster === undefined ? 1 : config.num_replicas;
    return { bucket, replicas, leader: leader === '' ? null : leader, followers };
  } catch (error) {
    throw toUtaskError(error, where);
  }
}

function factsOf(connection: NatsConnection, where: string, replicas: number): Buckets['facts'] {
  const version = connection.info?.version ?? '0.0.0';
  const majority = Math.floor(replicas / 2) + 1;
  return {
    backend: 'nats',
    where: `${where} (nats-server ${version})`,
    durability:
      replicas === 1
        ? 'An acknowledged change survives a crash of the server; a power cut may lose the last two minutes.'
        : `An acknowledged change is stored by at least ${majority} of ${replicas} servers and survives the loss of the ` +
          'others; a power cut that affects all of them may lose the last two minutes.',
    lacks: lackingFeatures(version),
  };
}

interface BucketSettings {
  readonly bucket: string;
  readonly history: number;
  readonly replicas: number | undefined;
  readonly where: string;
  readonly deadline: number;
}

/** Creates a missing bucket, and changes the number of replicas if one is given. Returns the number of replicas. */
async function prepare(jsm: JetStreamManager, settings: BucketSettings): Promise<number> {
  const replicas = await prepareWithRetries(jsm, settings);
  if (settings.replicas !== undefined && replicas > 1) await replicasAreCurrent(jsm, settings, replicas);
  return replicas;
}

async function prepareWithRetries(jsm: JetStreamManager, settings: BucketSettings): Promise<number> {
  for (;;) {
    const began = Date.now();
    try {
      return await prepareOnce(jsm, settings);
    } catch (error) {
      // Retries, because a server that has just started answers before its streams are available. Limits the retries,
      // because a stream without a leader never becomes available.
      const isOver = 2 * Date.now() - began > settings.deadline;
      if (!isTransient(error) || isOver) throw toUtaskError(error, settings.where);
      await delay(OPEN_PAUSE_MS);
    }
  }
}

/**
 * Resolves when every server has every task. New replicas are empty at first. If the only server with the tasks failed
 * before they were copied, the other servers would elect an empty leader, and the tasks would be lost. At the deadline,
 * for example because one server is down, a majority suffices.
 */
async function replicasAreCurrent(
  jsm: JetStreamManager,
  { bucket, where, deadline }: BucketSettings,
  replicas: number,
): Promise<void> {
  for (;;) {
    const { leader, followers } = await replicationOf(jsm, bucket, where).catch((error: unknown) => {
      if (Date.now() > deadline) throw error;
      return { leader: null, followers: [] };
    });
    const current = leader === null ? 0 : 1 + followers.filter((each) => each.is_current && each.lag === 0).length;
    if (current >= replicas) return;
    if (Date.now() > deadline) {
      if (current > replicas / 2) return;
      throw utaskErrors.REPLICA_BEHIND(`Fewer than half of the ${replicas} servers have all tasks so far.`);
    }
    await delay(OPEN_PAUSE_MS);
  }
}

/**
 * Uses the same stream settings as NATS' KV clients, except `allow_direct`, which lets a lagging replica answer a read.
 */
async function prepareOnce(jsm: JetStreamManager, { bucket, history, replicas }: BucketSettings): Promise<number> {
  const name = `KV_${bucket}`;
  try {
    const { config } = await jsm.streams.info(name);
    if (replicas === undefined || config.num_replicas === replicas) return config.num_replicas;
    return (await jsm.streams.update(name, { num_replicas: replicas })).config.num_replicas;
  } catch (error) {
    if (!isStreamMissing(error)) throw error;
  }
  const { config } = await jsm.streams.add({
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
    num_replicas: replicas ?? 1,
  });
  return config.num_replicas;
}

interface Feature {
  readonly since: string;
  readonly lack: string;
}

/** Features of newer servers. Detected by version, because old servers accept some settings and ignore them. */
const features: readonly Feature[] = [
  {
    since: '2.10.0',
    lack: 'an acknowledged change may reach the disk up to two minutes later (sync_interval needs nats-server 2.10)',
  },
  { since: '2.10.0', lack: 'several keys cannot be watched at once (needs nats-server 2.10)' },
  {
    since: '2.10.27',
    lack: 'known security flaws: do not share this server with untrusted users (CVE-2025-30215, fixed in 2.10.27)',
  },
  {
    since: '2.11.0',
    lack: 'single keys cannot expire, so deleted tasks leave markers until "ut gc" (needs nats-server 2.11)',
  },
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
