import type { Transaction } from '@holdfast/keyspace';

import { limits } from '../model/limits.ts';
import { audit, devices, replies, sessions, snoozes, throttles, tokens } from '../store/schema.ts';
import type { Dependencies } from './dependencies.ts';

export interface Swept {
  readonly sessions: number;
  readonly devices: number;
  readonly tokens: number;
  readonly throttles: number;
  readonly replies: number;
  readonly snoozes: number;
  readonly audit: number;
  /** True if expired entries may remain after this sweep. */
  readonly more: boolean;
}

const BATCHES_MAX = 50;

type Batch = (transaction: Transaction, dependencies: Dependencies) => Promise<number>;

/**
 * Removes expired entries to keep the database small. Security does not depend on it, because every read checks expiry.
 * Transactions are short, so they do not delay sign-ins. Indexes make a sweep without expired entries cheap.
 */
export async function sweep(dependencies: Dependencies): Promise<Swept> {
  const counts = {
    sessions: await repeat(dependencies, sweepSessions),
    devices: await repeat(dependencies, sweepDevices),
    tokens: await repeat(dependencies, sweepTokens),
    throttles: await repeat(dependencies, sweepThrottles),
    replies: await repeat(dependencies, sweepReplies),
    snoozes: await repeat(dependencies, sweepSnoozes),
    audit: await repeat(dependencies, sweepAudit),
  };
  const more = Object.values(counts).includes(BATCHES_MAX * limits.sweepBatch);
  return { ...counts, more };
}

async function repeat(dependencies: Dependencies, batch: Batch): Promise<number> {
  let total = 0;
  for (let round = 0; round < BATCHES_MAX; round++) {
    const count = await dependencies.keyspace.transact((transaction) => batch(transaction, dependencies));
    total += count;
    if (count < limits.sweepBatch) break;
  }
  return total;
}

const limit = limits.sweepBatch;

const sweepSessions: Batch = async (transaction, { clock, onUnreadable }) => {
  const expired = await transaction.leavingOut(onUnreadable).list(sessions.by.expiry, {}, { end: clock(), limit });
  for (const { id } of expired) await transaction.delete(sessions, { id });
  return expired.length;
};

const sweepDevices: Batch = async (transaction, { clock, onUnreadable }) => {
  const expired = await transaction.leavingOut(onUnreadable).list(devices.by.expiry, {}, { end: clock(), limit });
  for (const { id } of expired) await transaction.delete(devices, { id });
  return expired.length;
};

const sweepTokens: Batch = async (transaction, { clock, onUnreadable, settings }) => {
  const end = Math.max(0, clock() - settings.expiredTokenShownMs);
  const expired = await transaction.leavingOut(onUnreadable).list(tokens.by.expiry, {}, { end, limit });
  for (const { id } of expired) await transaction.delete(tokens, { id });
  return expired.length;
};

const sweepThrottles: Batch = async (transaction, { clock, onUnreadable }) => {
  const expired = await transaction.leavingOut(onUnreadable).list(throttles.by.expiry, {}, { end: clock(), limit });
  for (const { kind, id } of expired) await transaction.delete(throttles, { kind, id });
  return expired.length;
};

const sweepReplies: Batch = async (transaction, { clock, onUnreadable }) => {
  const expired = await transaction.leavingOut(onUnreadable).list(replies.by.expiry, {}, { end: clock(), limit });
  for (const { user_id, key_hash } of expired) await transaction.delete(replies, { user_id, key_hash });
  return expired.length;
};

const sweepSnoozes: Batch = async (transaction, { clock, onUnreadable }) => {
  const expired = await transaction.leavingOut(onUnreadable).list(snoozes.by.expiry, {}, { end: clock(), limit });
  for (const { user_id, key_hash } of expired) await transaction.delete(snoozes, { user_id, key_hash });
  return expired.length;
};

const sweepAudit: Batch = async (transaction, { reader, clock, settings, onUnreadable }) => {
  // Reads the number outside the transaction; inside it, this read would conflict with every new event.
  const newest = await reader.get(audit.counter, {});
  const { auditKeptMs, auditEntriesMin, auditEntriesMax } = settings;
  const oldest = await transaction.leavingOut(onUnreadable).list(audit, {}, { limit });
  const isOver = ({ seq, at }: { readonly seq: number; readonly at: string }): boolean => {
    const age = newest - seq;
    if (age < auditEntriesMin) return false;
    return age >= auditEntriesMax || Date.parse(at) < clock() - auditKeptMs;
  };
  const kept = oldest.findIndex((event) => !isOver(event));
  const removed = kept < 0 ? oldest : oldest.slice(0, kept);
  for (const { seq } of removed) await transaction.delete(audit, { seq });
  return removed.length;
};
