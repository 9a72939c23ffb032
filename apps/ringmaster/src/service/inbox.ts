import { budgetText } from '../model/budget.ts';
import { GIVE_UP } from '../model/decisions.ts';
import { textList } from '../model/texts.ts';
import type { InboxItem } from '../operations/inbox.ts';
import { type WaitingTask, waitingTasks } from '../store/inbox.ts';
import { listInquiries } from '../store/inquiries.ts';
import { type Notification, undeliverable } from '../store/notifications.ts';
import { existingTask } from '../store/tasks.ts';
import { reachedBudgets } from './budget.ts';
import type { Ringmaster } from './ringmaster.ts';
import { parkedWorkers } from './workers.ts';

/** Everything that waits for a person: open decisions and questions first, then tasks, workers and notifications. */
export function inbox(rm: Ringmaster): readonly InboxItem[] {
  const tx = rm.store.reader;
  return [
    ...listInquiries(tx, { all: false }).map((one) => ({
      ...nothing,
      kind: one.type,
      id: one.task_id,
      text: `${one.about_id} ${one.about_title}: ${one.title}`,
      detail: one.context,
      since: existingTask(tx, one.task_id).created_at,
      options: textList(one.options),
      recommendation: one.recommendation,
      command: `ringmaster answer ${one.task_id} ANSWER`,
    })),
    ...waitingTasks(tx, GIVE_UP).map(taskItem),
    ...reachedBudgets(tx, rm).map((used) => ({
      ...nothing,
      kind: 'budget' as const,
      id: used.id,
      text: budgetText(rm.config.budget, used),
      since: null,
      command: 'ringmaster metrics',
    })),
    ...parkedWorkers(rm).map(({ id, until, reason }) => ({
      ...nothing,
      kind: 'worker_parked' as const,
      id,
      text: `Worker ${id} is parked until ${until}`,
      detail: reason,
      since: null,
      command: `ringmaster resume ${id}`,
    })),
    ...undeliverable(tx).map(notificationItem),
  ];
}

const nothing = { detail: null, options: [], recommendation: null } as const;

const commands: Readonly<Record<WaitingTask['kind'], (id: string) => string>> = {
  review: (id) => `ringmaster task diff ${id}; ringmaster merge ${id}`,
  unmerged: (id) => `ringmaster merge ${id}`,
  blocked: (id) => `ringmaster task ready ${id}`,
  failed: (id) => `ringmaster task ready ${id}`,
};

function taskItem({ id, title, kind, reason, since, ...task }: WaitingTask): InboxItem {
  const { pull_request: url, pull_request_state: state } = task;
  const item = { ...nothing, kind, id, text: `${id} ${title}`, since };
  if (url === null) return { ...item, detail: reason, command: commands[kind](id) };
  const next = state === 'merged' ? 'git pull; ringmaster pr --sync' : 'ringmaster pr --sync';
  return { ...item, detail: `Pull request ${url} is ${state}`, command: next };
}

function notificationItem({ event_id, destination, last_error, attempts, gave_up_at }: Notification): InboxItem {
  return {
    ...nothing,
    kind: 'notification',
    id: `${event_id}-${destination}`,
    text: `A notification to the ${destination} was not delivered in ${attempts} attempts`,
    detail: last_error,
    since: gave_up_at,
    command: 'ringmaster doctor',
  };
}
