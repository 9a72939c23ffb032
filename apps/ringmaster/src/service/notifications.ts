import { basename } from 'node:path';

import { delay, failpoint, parseStoredObject, SECOND, toTimestamp } from '@holdfast/base';

import { postToWebhook, runNotifyCommand } from '../adapters/notify.ts';
import { retryDelaySeconds } from '../model/attempt.ts';
import { recordEvent } from '../store/events.ts';
import { metaText, setMeta } from '../store/meta.ts';
import {
  countObsolete,
  deleteObsolete,
  deliverNotification,
  type Destination,
  dueNotification,
  type Notification,
  updateNotification,
} from '../store/notifications.ts';
import type { Tx } from '../store/open.ts';
import { finishedWork } from '../store/tasks.ts';
import { callOf, destinationsOf, type Ringmaster } from './ringmaster.ts';

/**
 * After this many failed attempts, ringmaster stops sending a notification until another one reaches the same
 * destination.
 */
export const ATTEMPTS_MAX = 12;
/** The pauses between attempts are 1 s, 2 s, 4 s …: about 34 minutes in total. */
const retries = { retry_base_seconds: 1, retry_max_seconds: 3600 };
const LOOK_EVERY = SECOND;

export interface Notifier {
  /** Tries once more to send all due notifications, then stops. */
  readonly stop: () => Promise<void>;
}

/**
 * Delivers notifications until stopped. Runs separately from maintenance, which must not wait for a slow destination.
 */
export function startNotifier(rm: Ringmaster, onProblem: (text: string) => void): Notifier {
  const stopped = new AbortController();
  let revision = -1;
  const round = async (): Promise<void> => {
    try {
      const now = rm.store.database.revision();
      if (now !== revision) await reportAllDone(rm);
      revision = now;
      for (const problem of await deliverDue(rm)) onProblem(problem);
    } catch (error) {
      onProblem(error instanceof Error ? error.message : String(error));
    }
  };
  const loop = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      await round();
      await delay(LOOK_EVERY, stopped.signal);
    }
    await round();
  };
  const running = loop();
  return {
    async stop() {
      stopped.abort();
      await running;
    },
  };
}

/** Delivers every notification that is due. Returns the problems of the notifications that it will not try again. */
export async function deliverDue(rm: Ringmaster): Promise<readonly string[]> {
  const destinations = destinationsOf(rm.config);
  if (countObsolete(rm.store.reader, destinations) > 0) {
    await rm.store.write('notify: destinations removed', (tx) => deleteObsolete(tx, destinations));
  }
  const problems = await Promise.all(destinations.map((destination) => deliverTo(rm, destination)));
  return problems.flat();
}

/** Sends in the order of events. Stops at the first failure, so that a dead destination is tried once per round. */
async function deliverTo(rm: Ringmaster, destination: Destination): Promise<readonly string[]> {
  for (;;) {
    const claimed = await claimDue(rm, destination);
    if (claimed === undefined) return [];
    failpoint('ringmaster.notify.claimed');
    const problem = await send(rm, claimed);
    failpoint('ringmaster.notify.sent');
    const hasGivenUp = await recordResult(rm, claimed, problem);
    failpoint('ringmaster.notify.recorded');
    if (hasGivenUp) return [`gave up sending a notification after ${claimed.attempts} attempts: ${problem}`];
    if (problem !== undefined) return [];
  }
}

/** Before sending, counts the attempt and postpones the next one, so that no other process sends at the same time. */
async function claimDue(rm: Ringmaster, destination: Destination): Promise<Notification | undefined> {
  const now = (): string => toTimestamp(rm.clock());
  if (dueNotification(rm.store.reader, destination, now()) === undefined) return undefined;
  return rm.store.write('notify: attempt', (tx) => {
    const due = dueNotification(tx, destination, now());
    if (due === undefined) return undefined;
    const attempts = due.attempts + 1;
    const waitSeconds = rm.config.notifications.timeout_seconds + retryDelaySeconds(attempts, retries, rm.random);
    updateNotification(tx, due, { attempts, next_attempt_at: toTimestamp(rm.clock() + waitSeconds * SECOND) });
    return { ...due, attempts };
  });
}

function send(rm: Ringmaster, { destination, body }: Notification): Promise<string | undefined> {
  const { command, webhook, timeout_seconds } = rm.config.notifications;
  const timeoutMs = timeout_seconds * SECOND;
  const { root } = rm.workspace;
  const text = JSON.stringify({ ...parseStoredObject(body), workspace: basename(root) });
  return destination === 'webhook'
    ? postToWebhook(webhook, text, timeoutMs)
    : runNotifyCommand({ command, folder: root, body: `${text}\n`, timeoutMs });
}

/** Returns whether ringmaster gave up. */
function recordResult(rm: Ringmaster, sent: Notification, problem: string | undefined): Promise<boolean> {
  return rm.store.write('notify: result', (tx) => {
    const now = toTimestamp(rm.clock());
    if (problem === undefined) {
      deliverNotification(tx, sent, now);
      return false;
    }
    const hasGivenUp = sent.attempts >= ATTEMPTS_MAX;
    const waitSeconds = retryDelaySeconds(sent.attempts, retries, rm.random);
    updateNotification(tx, sent, {
      last_error: problem,
      next_attempt_at: toTimestamp(rm.clock() + waitSeconds * SECOND),
      gave_up_at: hasGivenUp ? now : null,
    });
    return hasGivenUp;
  });
}

/** Meta key. When ringmaster reports that all work is finished, it stores the completion time of the last task here. */
const ALL_DONE = 'all_done';

/** Records once that neither a worker nor a person has anything left to do. */
export async function reportAllDone(rm: Ringmaster): Promise<void> {
  if (destinationsOf(rm.config).length === 0) return;
  if (unreported(rm.store.reader) === undefined) return;
  await rm.store.write('notify: all done', (tx) => {
    const finished = unreported(tx);
    if (finished === undefined) return;
    setMeta(tx, ALL_DONE, finished.last_completed_at);
    const { done, failed } = finished;
    const text = `All work is finished: ${done} done${failed === 0 ? '' : `, ${failed} failed`}`;
    recordEvent(tx, callOf(rm), {
      type: 'all_done',
      entity: 'store',
      id: 'run',
      data: { done, failed },
      notify: { situation: 'all_done', text },
    });
  });
}

function unreported(tx: Tx): ReturnType<typeof finishedWork> {
  const finished = finishedWork(tx);
  return finished?.last_completed_at === metaText(tx, ALL_DONE) ? undefined : finished;
}
