import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { NatsServer } from '../../utask/test/nats.ts';
import { appears, openBrowser, openTab, setUp } from './browser.ts';
import { startServer, type TestServer } from './server.ts';

let nats: NatsServer;
let server: TestServer;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  nats = await NatsServer.start();
  [server, browser] = await Promise.all([startServer({ UTASK_NATS_URL: nats.url }), openBrowser()]);
  ({ page } = await openTab(browser));
  await setUp(page, server.setupUrl);
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
  await nats?.stop();
});

const task = (name: string) => page.getByRole('article', { name, exact: true });

describe('a task list whose server is not there yet', () => {
  it('says so on its page and card, and is there without a restart as soon as its server is', async () => {
    const late = await NatsServer.start();
    onTestFinished(() => late.stop());
    await late.halt();
    const early = await startServer({ UTASK_NATS_URL: late.url });
    onTestFinished(() => early.close());
    const { page: other } = await openTab(browser);
    await setUp(other, early.setupUrl);
    const notice = other.getByText('Tasks are unavailable.');
    const card = other.getByRole('article', { name: 'Tasks' });
    expect(await appears(card.filter({ has: notice }))).toBe(true);
    await other.goto(`${early.url}/tasks`);
    expect(await appears(notice)).toBe(true);
    await late.resume();
    expect(await appears(other.getByText('No open tasks'))).toBe(true);
    await notice.waitFor({ state: 'detached' });
    early.run('ut', 'add', 'It is there');
    await other.getByRole('article', { name: 'It is there' }).waitFor();
    await other.context().close();
  });
});

describe('a task list that is shared over NATS', () => {
  it('shows where it is, and what other machines do', async () => {
    await page.goto(`${server.url}/tasks`);
    await page.getByRole('button', { name: 'Shared over NATS' }).click();
    const dialog = page.getByRole('dialog', { name: 'Task storage' });
    await dialog.getByText('Connected, live').waitFor();
    expect(await appears(dialog.getByText(nats.url, { exact: false }))).toBe(true);
    expect(await dialog.getByText('1 replica', { exact: true }).count(), 'of both buckets').toBe(2);
    await page.keyboard.press('Escape');
    server.run('ut', 'add', 'From another machine', '-t', 'far');
    await task('From another machine').waitFor();
    await page.getByRole('checkbox', { name: 'Mark as done: From another machine' }).click();
    await task('From another machine').waitFor({ state: 'detached' });
    expect(server.run('ut', 'ls', '--done')).toContain('From another machine');
  });

  it('is said to be unreachable while its server is away, and goes on by itself', async () => {
    await page.getByLabel('New task').fill('While it was away');
    await nats.halt();
    await page.keyboard.press('Enter');
    const toast = page.getByRole('alert').filter({ hasText: 'Could not add the task' });
    await toast.waitFor({ timeout: 60_000 });
    await nats.resume();
    await expect
      .poll(
        async () => {
          await page.getByLabel('New task').press('Enter');
          return task('While it was away').count();
        },
        { timeout: 60_000, interval: 2_000 },
      )
      .toBe(1);
    server.run('ut', 'add', 'And live again');
    expect(await appears(task('And live again'))).toBe(true);
  });
});
