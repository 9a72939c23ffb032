import { MINUTE, SECOND } from '@holdfast/base';
import { describe, expect, it } from 'vitest';

import { openWithProject, type TestClock, testClock } from '../../test/harness.ts';
import { startWebhook, type Webhook } from '../../test/webhook.ts';
import { defaultConfig, readConfig } from '../model/config.ts';
import { type Notification, undeliverable } from '../store/notifications.ts';
import { examine } from './doctor.ts';
import { answerInquiry, inquire } from './inquiries.ts';
import { ATTEMPTS_MAX, deliverDue, reportAllDone } from './notifications.ts';
import { claim, report } from './queue.ts';
import { restoreAt, undo } from './restore.ts';
import type { Ringmaster } from './ringmaster.ts';
import { statusOf } from './status.ts';
import { addTask } from './tasks.ts';

interface Subject {
  readonly rm: Ringmaster;
  readonly clock: TestClock;
  readonly webhook: Webhook;
}

async function withWebhook(settings: Partial<typeof defaultConfig.notifications> = {}): Promise<Subject> {
  const clock = testClock();
  const webhook = await startWebhook();
  const notifications = { ...defaultConfig.notifications, webhook: webhook.url, ...settings };
  const rm = await openWithProject({ clock, config: { notifications } });
  return { rm, clock, webhook };
}

async function askedDecision(rm: Ringmaster, title = 'A'): Promise<string> {
  const { id: task } = await addTask(rm, { title });
  return (await inquire(rm, { task, kind: 'decision', question: 'Which one?', options: ['x', 'y'] })).id;
}

function pending(rm: Ringmaster): Notification[] {
  return rm.store.reader.all<Notification>('SELECT * FROM notifications ORDER BY event_id');
}

/** Tries until ringmaster gives up. */
async function exhaust({ rm, clock }: Subject): Promise<readonly string[]> {
  for (let attempt = 0; attempt < 2 * ATTEMPTS_MAX; attempt++) {
    const problems = await deliverDue(rm);
    if (problems.length > 0) return problems;
    clock.advance(60 * MINUTE);
  }
  return [];
}

describe('a notification', () => {
  it('is stored with its event, sent once, and then deleted', async () => {
    const { rm, webhook } = await withWebhook();
    const id = await askedDecision(rm);
    expect(pending(rm)).toHaveLength(1);
    await deliverDue(rm);
    await deliverDue(rm);
    expect(webhook.received).toMatchObject([
      { situation: 'decision', task: id, text: expect.stringContaining('Which one?') as string },
    ]);
    expect(pending(rm)).toEqual([]);
  });

  it('is sent again with the same id, after a delay that doubles', async () => {
    const { rm, clock, webhook } = await withWebhook();
    await askedDecision(rm);
    webhook.answer = 500;
    await deliverDue(rm);
    await deliverDue(rm);
    expect(webhook.received).toHaveLength(1);
    clock.advance(1.3 * SECOND);
    await deliverDue(rm);
    clock.advance(1.3 * SECOND);
    await deliverDue(rm);
    expect(webhook.received).toHaveLength(2);
    clock.advance(1.3 * SECOND);
    webhook.answer = 204;
    await deliverDue(rm);
    expect(webhook.received).toHaveLength(3);
    expect(new Set(webhook.received.map(({ id }) => id)).size).toBe(1);
    expect(pending(rm)).toEqual([]);
  });

  it('is given up visibly, and sent after the next success', async () => {
    const subject = await withWebhook();
    const { rm, webhook } = subject;
    await askedDecision(rm);
    webhook.answer = 503;
    expect(await exhaust(subject)).toEqual([
      `gave up sending a notification after ${ATTEMPTS_MAX} attempts: The webhook answered with status 503`,
    ]);
    expect(webhook.received).toHaveLength(ATTEMPTS_MAX);
    subject.clock.advance(60 * MINUTE);
    await deliverDue(rm);
    expect(webhook.received).toHaveLength(ATTEMPTS_MAX);
    expect(statusOf(rm, {}).undelivered_notifications).toBe(1);
    expect(await examine(rm, { repair: false })).toContainEqual({
      check: 'notifications',
      problems: [expect.stringMatching(/not delivered in 12 attempts: The webhook answered with status 503/)],
    });
    webhook.answer = 200;
    await askedDecision(rm, 'B');
    await deliverDue(rm);
    expect(webhook.received).toHaveLength(ATTEMPTS_MAX + 2);
    expect(statusOf(rm, {}).undelivered_notifications).toBe(0);
  });

  it.each([
    [302, 'The webhook answered with status 302; redirects are not followed'],
    ['never', 'The webhook did not answer within 0.1 s'],
  ] as const)(
    'that is answered with %s has failed, and the error does not contain the address',
    async (answer, error) => {
      const { rm, webhook } = await withWebhook({ timeout_seconds: 0.1 });
      await askedDecision(rm);
      webhook.answer = answer;
      await deliverDue(rm);
      expect(webhook.received).toHaveLength(1);
      expect(pending(rm).map(({ last_error }) => last_error)).toEqual([error]);
    },
  );

  it('to an unreachable address fails without the address in the error', async () => {
    const { rm } = await withWebhook({ webhook: 'http://127.0.0.1:1/secret' });
    await askedDecision(rm);
    await deliverDue(rm);
    expect(pending(rm)[0]?.last_error).toMatch(/^The webhook could not be reached(: \w+)?$/);
  });

  it.each([
    [['sh', '-c', 'exit 3'], '"sh" exited with 3'],
    [['sleep', '60'], '"sleep" did not end within 0.2 s'],
    [['no-such-program'], '"no-such-program" could not be started: ENOENT'],
  ])('to the command %j reports why it failed, without stopping the webhook', async (command, error) => {
    const { rm, webhook } = await withWebhook({ command, timeout_seconds: 0.2 });
    await askedDecision(rm);
    await deliverDue(rm);
    expect(pending(rm)).toMatchObject([{ destination: 'command', last_error: error }]);
    expect(webhook.received).toHaveLength(1);
  });

  it('to a destination that is no longer configured is deleted', async () => {
    const { rm } = await withWebhook();
    await askedDecision(rm);
    await deliverDue({ ...rm, config: defaultConfig });
    expect(pending(rm)).toEqual([]);
    expect(undeliverable(rm.store.reader)).toEqual([]);
  });

  it('that was delivered does not prevent the undo of its event', async () => {
    const { rm } = await withWebhook();
    await askedDecision(rm);
    await deliverDue(rm);
    expect((await undo(rm)).note).toMatch(/^decision about/);
  });

  it('is not sent again after a restore', async () => {
    const { rm, webhook } = await withWebhook();
    await askedDecision(rm);
    const revision = rm.store.database.revision();
    await deliverDue(rm);
    await restoreAt(rm, String(revision));
    await deliverDue(rm);
    expect(webhook.received).toHaveLength(1);
  });
});

describe('people are told once', () => {
  it('about a task that a worker leaves to them', async () => {
    const { rm, webhook } = await withWebhook();
    const next = async (): Promise<{ readonly token: number; readonly task: string }> => {
      const { attempt } = (await claim(rm, { worker: 'w1' }))!;
      return { token: attempt.id, task: attempt.task_id };
    };
    for (const title of ['A', 'B', 'C', 'D']) await addTask(rm, { title, max_attempts: 1 });
    await report(rm, { token: (await next()).token, status: 'review' });
    await report(rm, { token: (await next()).token, status: 'blocked', reason: 'no database' });
    await report(rm, { token: (await next()).token, status: 'failed', reason: 'too hard' });
    const { token, task } = await next();
    await inquire(rm, { task, kind: 'decision', question: 'Which one?', token });
    await deliverDue(rm);
    expect(webhook.received.map(({ situation }) => situation)).toEqual(['review', 'blocked', 'failed', 'decision']);
    expect(webhook.received[1]?.text).toContain('no database');
  });

  it('when a worker asks and then reports its task as blocked', async () => {
    const { rm, webhook } = await withWebhook();
    await addTask(rm, { title: 'A' });
    const { attempt } = (await claim(rm, { worker: 'w1' }))!;
    await inquire(rm, { task: attempt.task_id, kind: 'question', question: 'Which one?' });
    await report(rm, { token: attempt.id, status: 'blocked' });
    await deliverDue(rm);
    expect(webhook.received.map(({ situation }) => situation)).toEqual(['question']);
  });

  it('that everything is done, and again only after more work', async () => {
    const { rm, clock, webhook } = await withWebhook();
    const complete = async (title: string): Promise<void> => {
      await addTask(rm, { title });
      await reportAllDone(rm);
      const { attempt } = (await claim(rm, { worker: 'w1' }))!;
      clock.advance(SECOND);
      await report(rm, { token: attempt.id, status: 'completed' });
      for (let round = 0; round < 3; round++) await reportAllDone(rm);
      await deliverDue(rm);
    };
    await complete('A');
    expect(webhook.received).toMatchObject([{ situation: 'all_done', text: 'All work is finished: 1 done' }]);
    await complete('B');
    expect(webhook.received).toHaveLength(2);
    const decision = await askedDecision(rm, 'C');
    await reportAllDone(rm);
    await answerInquiry(rm, { inquiry: decision, answer: 'x' });
    await reportAllDone(rm);
    await deliverDue(rm);
    expect(webhook.received.map(({ situation }) => situation)).toEqual(['all_done', 'all_done', 'decision']);
  });
});

it.each(['ftp://example.org/x', 'example.org', 'https://user:password@example.org/'])(
  'refuses the webhook %s without repeating it',
  (webhook) => {
    const read = (): unknown => readConfig({ notifications: { webhook } }, () => 7);
    expect(read).toThrow(
      'ringmaster.toml:7: webhook must be an http or https address without a user name and password',
    );
  },
);
