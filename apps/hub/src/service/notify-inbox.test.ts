import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import type { AttentionItem, Overview } from '@holdfast/operation';
import { expect, it, onTestFinished } from 'vitest';

import { temporaryHome } from '../../test/hub.ts';
import { inboxWebhook } from '../adapters/inbox-webhook.ts';
import { InboxNotifier } from './notify-inbox.ts';

function item(id: string): AttentionItem {
  return {
    app: 'np',
    kind: 'failed',
    id,
    title: `Task ${id}`,
    detail: null,
    since: null,
    path: '/plans/1',
    actions: [],
  };
}

/** A real webhook that records what it receives. */
async function startWebhook() {
  const received: string[] = [];
  const webhook = { status: 204, received, url: '' };
  const server = createServer((request, response) => {
    void (async () => {
      let text = '';
      for await (const chunk of request) text += String(chunk);
      const { items } = JSON.parse(text) as { items: readonly { readonly title: string }[] };
      if (webhook.status === 204) received.push(...items.map(({ title }) => title));
      response.writeHead(webhook.status).end();
    })();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  webhook.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?secret=hidden`;
  return webhook;
}

it('sends each item once, also after a restart and a failure, and again if it returns', async () => {
  const webhook = await startWebhook();
  const waiting = { items: [item('1'), item('2')] };
  const isAway = { now: false };
  const overview: Overview = {
    find: () => Promise.resolve([]),
    activity: () => Promise.resolve([]),
    describe: () => Promise.resolve(undefined),
    demo: { create: () => Promise.resolve(''), remove: () => Promise.resolve() },
    inbox: () => (isAway.now ? Promise.reject(new Error('away')) : Promise.resolve(waiting.items)),
  };
  const everything = { overviews: new Map([['np', overview]]) };
  const problems: string[] = [];
  const path = join(temporaryHome(), 'inbox-webhook.json');
  const open = () => {
    const notifier = new InboxNotifier(everything, inboxWebhook(webhook.url, path), (text) => problems.push(text));
    onTestFinished(() => notifier.close());
    return notifier;
  };
  let notifier = open();
  await notifier.notify();
  await notifier.notify();
  expect(webhook.received).toEqual(['Task 1', 'Task 2']);

  waiting.items = [item('2'), item('3')];
  webhook.status = 500;
  notifier = open();
  await notifier.notify();
  webhook.status = 204;
  await notifier.notify();
  expect(webhook.received).toEqual(['Task 1', 'Task 2', 'Task 3']);
  expect(problems).toEqual(['The inbox webhook answered with status 500']);

  isAway.now = true;
  await notifier.notify();
  isAway.now = false;
  waiting.items = [item('1'), item('3')];
  await notifier.notify();
  expect(webhook.received).toEqual(['Task 1', 'Task 2', 'Task 3', 'Task 1']);
});

it('accepts only web addresses without a password, and does not repeat the address', () => {
  for (const address of ['ftp://example.org', 'nonsense', 'https://ann:secret@example.org/']) {
    expect(() => inboxWebhook(address, 'unused')).toThrow(
      expect.objectContaining({ code: 'SERVER_CONFIG_INVALID', message: expect.not.stringContaining('secret') }),
    );
  }
});
