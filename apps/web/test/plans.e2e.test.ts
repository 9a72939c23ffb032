import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { appears, openBrowser, openTab, setUp } from './browser.ts';
import { seed } from './seed.ts';
import { startServer, type TestServer } from './server.ts';

let server: TestServer;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), openBrowser()]);
  ({ page } = await openTab(browser));
  await setUp(page, server.setupUrl);
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

interface Listed {
  readonly data: { readonly tasks: readonly { readonly id: string; readonly title: string }[] };
}

function idOf(title: string): string {
  const { data } = JSON.parse(server.run('np', 't', '--json')) as Listed;
  return data.tasks.find((task) => task.title === title)!.id;
}

const task = (name: string): Locator => page.getByRole('article', { name });

async function openPlan(): Promise<void> {
  await page.goto(`${server.url}/plans`);
  await page.getByRole('link', { name: /Ship the dashboard/ }).click();
  await page.getByRole('heading', { level: 1, name: 'Ship the dashboard' }).waitFor();
}

async function addUser(name: string, password: string): Promise<void> {
  await page.goto(`${server.url}/users`);
  await page.getByRole('button', { name: 'Add user' }).click();
  await page.getByLabel('User name').fill(name);
  await page.getByLabel('Initial password').fill(password);
  await page.getByRole('dialog').getByRole('button', { name: 'Add user' }).click();
  await page.getByText(`Added ${name}`).waitFor();
}

// The tests run in order. Each continues with the plan of the previous test.
describe('the plans', () => {
  it('tell a newcomer what to type, and a plan that is started elsewhere appears by itself', async () => {
    await page.goto(`${server.url}/plans`);
    await page.getByText('No plans yet').waitFor();
    expect(await appears(page.getByText('np goal set', { exact: false }))).toBe(true);
    await page.getByRole('button', { name: 'Live. Pause live updates' }).waitFor();
    seed(server);
    // Recent changes are highlighted for a while.
    const row = page.locator('a[data-fresh]').filter({ hasText: 'Ship the dashboard' });
    expect(await appears(row.filter({ hasText: '0 of 3 done' }))).toBe(true);
  });

  it('keep badge and progress inside the card of a long goal', async () => {
    const long = join(server.project, 'long');
    mkdirSync(long);
    server.runIn(long, 'np', 'start');
    server.runIn(long, 'np', 'goal', 'set', '-t', 'A goal of many words '.repeat(12).trim(), '-d', '');
    for (const [path, card] of [
      ['/plans', page.getByRole('region', { name: 'Plans' })],
      ['/', page.getByRole('article', { name: 'Plans' })],
    ] as const) {
      await page.goto(server.url + path);
      const link = card.getByRole('link', { name: /A goal of many words/ });
      await link.waitFor();
      const edges = await link.evaluate((element) => [element.scrollWidth, element.clientWidth]);
      expect(edges[0], path).toBe(edges[1]);
      const [inner, outer] = [await link.boundingBox(), await card.boundingBox()];
      expect(inner!.x + inner!.width, path).toBeLessThanOrEqual(outer!.x + outer!.width);
    }
    server.runIn(long, 'np', 'archive');
  });

  it('are found by words and by state, and the address says which', async () => {
    const other = join(server.project, 'elsewhere');
    mkdirSync(other);
    server.runIn(other, 'np', 'start');
    server.runIn(other, 'np', 'goal', 'set', '-t', 'Something else', '-d', '');
    server.runIn(other, 'np', 'archive');
    await page.goto(`${server.url}/plans`);
    await page.getByRole('link', { name: /Something else.*Archived/ }).waitFor();
    await page.getByRole('button', { name: 'Active', exact: true }).click();
    await page.waitForURL(/state=active/);
    await page.getByRole('link', { name: /Something else/ }).waitFor({ state: 'detached' });
    await page.keyboard.press('/');
    await page.keyboard.type('elsewhere');
    await page.waitForURL(/state=active&text=elsewhere/);
    await page.getByText('No matching plans').waitFor();
    await page.getByRole('button', { name: 'All', exact: true }).click();
    expect(await appears(page.getByRole('link', { name: /Something else/ }))).toBe(true);
    await page.reload();
    expect(await appears(page.getByRole('link', { name: /Something else/ }))).toBe(true);
    expect(await page.getByRole('link', { name: /Ship the dashboard/ }).count()).toBe(0);
  });
});

describe('somebody who only uses the applications', () => {
  it('sees plans and tasks live, and nothing of the server', async () => {
    await addUser('grace', 'four random words here');
    const { page: other } = await openTab(browser);
    await other.goto(`${server.url}/sign-in`);
    await other.getByLabel('User name or e-mail').fill('grace');
    await other.getByLabel('Password').fill('four random words here');
    await other.getByRole('button', { name: 'Sign in' }).click();
    await other.getByRole('link', { name: 'Open plans' }).click();
    await other.getByRole('link', { name: /Ship the dashboard/ }).waitFor();
    expect(await other.getByRole('link', { name: 'System' }).count()).toBe(0);
    await other.getByRole('button', { name: 'Live. Pause live updates' }).waitFor();
    server.run('np', 't', 'u', '-i', idOf('Follow the stream'), '-s', 'in_progress');
    expect(await appears(other.locator('a[data-fresh]'))).toBe(true);
    await other.getByRole('link', { name: 'Tasks', exact: true }).click();
    await other.getByLabel('New task').fill('From grace');
    await other.getByLabel('New task').press('Enter');
    expect(await appears(other.getByRole('article', { name: 'From grace' }))).toBe(true);
    await other.context().close();
  });
});

describe('a plan', () => {
  it('shows what an agent does in another process while it does it, and says so', async () => {
    await openPlan();
    const id = idOf('Draw the shell');
    server.run('np', 't', 'u', '-i', id, '-s', 'in_progress');
    const fresh = page.locator('article[data-fresh]').filter({ hasText: 'Draw the shell' });
    expect(await appears(fresh.filter({ hasText: 'In progress' }))).toBe(true);
    server.run('np', 't', 'u', '-i', id, '-s', 'failed', '-r', 'The window was too small');
    await task('Draw the shell').getByText('Failed').waitFor();
    const timeline = page.getByRole('region', { name: 'Timeline' });
    await timeline.getByText('Reason: The window was too small').waitFor();
    expect(await appears(timeline.getByText(`np t u -i ${id} -s failed`, { exact: false }))).toBe(true);
    await page.locator('[role=status]').filter({ hasText: 'Failed: Draw the shell' }).waitFor({ state: 'attached' });
    expect(await task('Draw the shell').count()).toBe(1);
  });

  it('shows every change of a burst, in order and once', async () => {
    const titles = Array.from({ length: 40 }, (_, at) => `Step ${String(at).padStart(2, '0')}`);
    server.run('np', 't', 'a', ...titles.flatMap((title) => ['-t', title, '-d', 'x']));
    for (let at = 0; at < 5; at++) server.run('np', 't', 'u', '-i', idOf(titles[at] ?? ''), '-s', 'completed');
    await page.getByText('5 of 43 done').waitFor();
    const timeline = page.getByRole('region', { name: 'Timeline' });
    const numbers = async (): Promise<readonly string[]> => timeline.getByText(/^#\d+$/).allTextContents();
    await expect.poll(async () => (await numbers())[0], { timeout: 15_000 }).toBe('#52');
    expect(await numbers()).toEqual(Array.from({ length: 53 }, (_, at) => `#${52 - at}`));
  });

  it('does not change while paused, although a live tab does, and catches up when resumed', async () => {
    const { page: live } = await openTab(browser, undefined, await page.context().storageState());
    await live.goto(page.url());
    await live.getByRole('button', { name: 'Live. Pause live updates' }).waitFor();
    await page.getByRole('button', { name: 'Live. Pause live updates' }).click();
    await page.getByRole('button', { name: 'Paused. Resume live updates' }).waitFor();
    // When the live tab shows the second change, any tab that is not paused already shows the first one.
    for (const [step, total] of [
      ['Step 10', '6 of 43 done'],
      ['Step 11', '7 of 43 done'],
    ] as const) {
      server.run('np', 't', 'u', '-i', idOf(step), '-s', 'completed');
      expect(await appears(live.getByText(total))).toBe(true);
    }
    expect(await page.getByText('5 of 43 done').isVisible()).toBe(true);
    await page.getByRole('button', { name: 'Paused. Resume live updates' }).click();
    expect(await appears(page.getByText('7 of 43 done'))).toBe(true);
    await live.context().close();
  });

  it('shows the tasks of one status, kept in the address', async () => {
    await page
      .getByRole('group', { name: 'Tasks by status' })
      .getByRole('button', { name: /^Failed/ })
      .click();
    await page.waitForURL(/status=failed/);
    await task('Step 12').waitFor({ state: 'detached' });
    await page.reload();
    expect(await appears(task('Draw the shell'))).toBe(true);
    expect(await page.getByRole('article').count()).toBe(1);
  });

  it('shows hostile text as text', async () => {
    await openPlan();
    expect(await appears(task('<img src=x onerror="document.title=1">'))).toBe(true);
    expect(await page.title()).toMatch(/Ship the dashboard · Holdfast$/u);
    expect(await page.locator('img').count()).toBe(0);
  });

  it('shows who claimed a task and until when, what comes before it, and its notes', async () => {
    server.run('np', 't', 'a', '-t', 'Celebrate', '--after', idOf('Draw the shell'));
    const id = idOf('Celebrate');
    server.run('np', 't', 'mv', id, '--to', '1');
    server.run('np', 't', 'claim', id, '--actor', 'ada', '--for', '30m');
    server.run('np', 't', 'u', '-i', id, '-n', 'cake is ordered', '--actor', 'bob');
    for (const text of [`after ${idOf('Draw the shell')}`, 'claimed by ada', 'until', 'Note: cake is ordered']) {
      expect(await appears(task('Celebrate').getByText(text, { exact: false }).first()), text).toBe(true);
    }
    expect(await appears(page.getByText('Note on Celebrate: cake is ordered'))).toBe(true);
    expect(await appears(page.getByText('bob', { exact: true }).first())).toBe(true);
    server.run('np', 'undo', '--actor', 'bob');
    await task('Celebrate').getByText('Note: cake is ordered').waitFor({ state: 'detached' });
    server.run('np', 'undo', '--actor', 'ada');
    server.run('np', 'undo');
    server.run('np', 'undo');
    await task('Celebrate').waitFor({ state: 'detached' });
  });

  it('is exported as a file, to read and to import again', async () => {
    const saved = async (name: string): Promise<string> => {
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name }).click()]);
      return readFileSync(await download.path(), 'utf8');
    };
    expect(await saved('Export as Markdown')).toContain('## Tasks (7 of 43 done)');
    expect(JSON.parse(await saved('Export as JSON'))).toMatchObject({ format: 'np-session' });
  });

  it('is archived under the eyes of the reader, and home shows it no more', async () => {
    server.run('np', 'archive');
    await page.getByText('Archived', { exact: true }).waitFor();
    await page.goto(server.url);
    expect(await appears(page.getByText('No active plans.'))).toBe(true);
    server.run('np', 'start');
    server.run('np', 'goal', 'set', '-t', 'The next thing', '-d', '');
    await page.getByRole('link', { name: /The next thing/ }).click();
    expect(await appears(page.getByText('No tasks yet').first())).toBe(true);
  });

  it('with a long story shows the latest part of it, and the rest when asked', async () => {
    const titles = Array.from({ length: 120 }, (_, at) => `Line ${at}`);
    server.run('np', 't', 'a', ...titles.flatMap((title) => ['-t', title, '-d', '']));
    await page.reload();
    const timeline = page.getByRole('region', { name: 'Timeline' });
    await timeline.getByText('Task added: Line 119').waitFor();
    expect(await timeline.getByText('Goal set: The next thing').count()).toBe(0);
    await timeline.getByRole('button', { name: 'Show older' }).click();
    expect(await appears(timeline.getByText('Goal set: The next thing'))).toBe(true);
    expect(await timeline.getByRole('button', { name: 'Show older' }).count()).toBe(0);
    // Only visible rows of a long list are in the page.
    expect(await page.getByRole('article').count()).toBeLessThan(60);
  });

  it('that does not exist says so', async () => {
    await page.goto(`${server.url}/plans/01ARZ3NDEKTSV4RRFFQ69G5FAV`);
    expect(await appears(page.getByRole('alert').getByText('SESSION_NOT_FOUND'))).toBe(true);
  });
});

describe('many plans', () => {
  it('are read page by page as one scrolls', async () => {
    for (let at = 0; at < 55; at++) {
      const folder = join(server.project, `many-${at}`);
      mkdirSync(folder);
      server.runIn(folder, 'np', 'start');
    }
    await page.goto(`${server.url}/plans?text=many-`);
    const list = page.getByRole('region', { name: 'Plans' });
    await list.getByText('many-54').waitFor();
    const oldest = list.getByText(/many-0$/);
    const scroll = async () => {
      await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
      return await oldest.isVisible();
    };
    await expect.poll(scroll, { timeout: 30_000, interval: 20 }).toBe(true);
    expect(await list.getByRole('listitem').count()).toBeLessThan(55);
  });
});
