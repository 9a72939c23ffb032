import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { appears, eventually, openBrowser, openTab, setUp } from './browser.ts';
import { judgeLooks } from './judge.ts';
import { seedTasks } from './seed.ts';
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

const task = (name: string): Locator => page.getByRole('article', { name, exact: true });

async function open(search: string = ''): Promise<void> {
  await page.goto(`${server.url}/tasks${search}`);
  await page.getByRole('heading', { level: 1, name: 'Tasks' }).waitFor();
  await page.getByRole('button', { name: 'Live. Pause live updates' }).waitFor();
}

interface Stored {
  readonly id: string;
  readonly text: string;
  readonly done: boolean;
  readonly tags: readonly string[];
}

function stored(text: string): Stored | undefined {
  return (JSON.parse(server.run('ut', 'ls', '--all', '--json')) as { data: Stored[] }).data.find(
    (each) => each.text === text,
  );
}

async function chosen(): Promise<string | null> {
  return page.locator('article[aria-current]').getAttribute('aria-label');
}

// The tests run in order. Each continues with the list of the previous test.
describe('the task list', () => {
  it('tells a newcomer what to do, and shows what is added in a terminal', async () => {
    await open();
    await page.getByText('No open tasks').waitFor();
    seedTasks(server);
    expect(await appears(page.locator('article[data-fresh]').filter({ hasText: '<img src=x' }))).toBe(true);
    expect(await appears(task('Pager duty'))).toBe(true);
    await page.getByRole('group', { name: 'Task status' }).getByRole('button', { name: 'Open 4' }).waitFor();
    await page
      .locator('[role=status]')
      .filter({ hasText: /elsewhere/ })
      .waitFor({ state: 'attached' });
    expect(await page.locator('img').count()).toBe(0);
    // A word longer than a line is broken, and overlaps nothing.
    const texts = page.locator('article > div > p');
    expect(
      await texts.evaluateAll((all) => all.every((each) => each.clientWidth <= each.parentElement!.clientWidth)),
    ).toBe(true);
  });

  it('shows the due date and priority that were set in a terminal', async () => {
    server.run('ut', 'add', 'Pay rent', '--due', '2030-01-04', '--priority', 'h');
    expect(await appears(task('Pay rent').getByText('Due Jan 4, 2030'))).toBe(true);
    expect(await appears(task('Pay rent').getByText('Priority high'))).toBe(true);
    server.run('ut', 'undo');
    await task('Pay rent').waitFor({ state: 'detached' });
  });

  it('takes a line with tags, and puts it first', async () => {
    await page.keyboard.press('n');
    await page.keyboard.type('Call the plumber about #12 #home #"Living Room"');
    await page.getByText('Tagged #home #living room').waitFor();
    await page.keyboard.press('Enter');
    await task('Call the plumber about #12').waitFor();
    expect(stored('Call the plumber about #12')?.tags).toEqual(['home', 'living room']);
    expect(await page.getByRole('article').first().getAttribute('aria-label')).toBe('Call the plumber about #12');
    expect(await page.getByLabel('New task').inputValue()).toBe('');
    await page.keyboard.press('Escape');
  });

  it('is filtered by any or all of the tags and by words, kept in the address', async () => {
    const tags = page.getByRole('region', { name: 'Tags' });
    await tags.getByRole('button', { name: '#urgent 2' }).click();
    await task('Buy milk and bread').waitFor({ state: 'detached' });
    await tags.getByRole('button', { name: '#work 1' }).click();
    await page.waitForURL(/tags=urgent%2Cwork/);
    expect(await appears(task('Pager duty'))).toBe(true);
    await tags.getByRole('button', { name: 'All tags' }).click();
    await task('Pager duty').waitFor({ state: 'detached' });
    expect(await appears(task('Ship the dashboard'))).toBe(true);
    // Tasks added elsewhere appear only if they match the filter.
    server.run('ut', 'add', 'Not here', '-t', 'work');
    server.run('ut', 'add', 'But this', '-t', 'work', '-t', 'urgent');
    await task('But this').waitFor();
    expect(await task('Not here').count()).toBe(0);
    await page.goBack();
    await task('Not here').waitFor();
    await tags.getByRole('button', { name: 'Clear' }).click();
    await page.keyboard.press('/');
    await page.keyboard.type('PAGER');
    await page.waitForURL(/text=PAGER/);
    await task('Not here').waitFor({ state: 'detached' });
    expect(await appears(task('Pager duty'))).toBe(true);
  });
});

describe('with the keyboard alone', () => {
  it('one goes through the list, finishes, and takes it back', async () => {
    await open();
    await task('Pager duty').waitFor();
    const names = await page
      .getByRole('article')
      .evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')));
    await page.keyboard.press('j');
    await eventually(chosen).toBe(names[0]);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await eventually(chosen).toBe(names[1]);
    await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(names[1]);
    await page.keyboard.press('x');
    await task(names[1] ?? '').waitFor({ state: 'detached' });
    expect(stored(names[1] ?? '')?.done).toBe(true);
    // The next task takes the position of the completed task and gets the focus.
    await eventually(chosen).toBe(names[2]);
    await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(names[2]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await task(names[1] ?? '').waitFor();
    expect(stored(names[1] ?? '')?.done).toBe(false);
  });

  it('one edits in place, and the list of keys is one key away', async () => {
    await open('?text=milk');
    await task('Buy milk and bread').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('e');
    await page.getByRole('form', { name: 'Edit task' }).waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Buy oat milk');
    await page.keyboard.press('Tab');
    await page.keyboard.press('End');
    await page.keyboard.type(', shop');
    await page.keyboard.press('Enter');
    await task('Buy oat milk').waitFor();
    expect(stored('Buy oat milk')?.tags).toEqual(['errand', 'home', 'shop']);
    await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(
      'Buy oat milk',
    );
    await page.keyboard.press('e');
    await page.getByRole('form', { name: 'Edit task' }).waitFor();
    await page.keyboard.type(' never saved');
    await page.keyboard.press('Escape');
    await page.getByRole('form', { name: 'Edit task' }).waitFor({ state: 'detached' });
    expect(stored('Buy oat milk')).toBeDefined();
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    expect(await appears(help.getByText('Complete or reopen task'))).toBe(true);
    // Keys do nothing behind a dialog.
    await page.keyboard.press('x');
    await page.keyboard.press('Escape');
    expect(stored('Buy oat milk')?.done).toBe(false);
  });

  it('one deletes, and brings it back as the same task', async () => {
    await open('?text=oat');
    await task('Buy oat milk').waitFor();
    const before = stored('Buy oat milk');
    await page.keyboard.press('j');
    await page.keyboard.press('Delete');
    await task('Buy oat milk').waitFor({ state: 'detached' });
    expect(stored('Buy oat milk')).toBeUndefined();
    await page.getByRole('button', { name: 'Undo' }).click();
    await task('Buy oat milk').waitFor();
    expect(stored('Buy oat milk')).toEqual(before);
  });
});

describe('two who edit the same task', () => {
  const edit = async (text: string, to: string): Promise<void> => {
    await open(`?text=${encodeURIComponent(text)}`);
    await page.getByRole('button', { name: `Edit ${text}` }).click();
    await page.getByLabel('Task', { exact: true }).fill(to);
  };

  it('do not overwrite each other: both are shown, and one is chosen', async () => {
    await edit('Pager duty', 'Pager duty until Monday');
    server.run('ut', 'edit', stored('Pager duty')!.id, '--text', 'Pager duty until Friday');
    await page.keyboard.press('Enter');
    const form = page.getByRole('form', { name: 'Edit task' });
    await form.getByText('This task was changed elsewhere.').waitFor();
    expect(await appears(form.getByText('Pager duty until Friday'))).toBe(true);
    expect(stored('Pager duty until Friday')).toBeDefined();
    await page.getByRole('button', { name: 'Save my version' }).click();
    await task('Pager duty until Monday').waitFor();
    expect(stored('Pager duty until Monday')).toBeDefined();
    expect(stored('Pager duty until Friday')).toBeUndefined();
  });

  it('are told when it was deleted, and lose nothing that was written', async () => {
    await edit('Not here', 'Still wanted');
    server.run('ut', 'rm', stored('Not here')!.id);
    const form = page.getByRole('form', { name: 'Edit task' });
    await page.getByLabel('Task', { exact: true }).focus();
    await page.keyboard.press('Enter');
    await form.getByText('This task was deleted elsewhere.').waitFor();
    await page.getByRole('button', { name: 'Add task again' }).click();
    await form.waitFor({ state: 'detached' });
    expect(stored('Still wanted')?.tags).toEqual(['work']);
  });
});

describe('a server that goes away', () => {
  it('does not lose the line that was written, nor add it twice', async () => {
    await open();
    await page.getByLabel('New task').fill('Survive #once');
    await server.kill();
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('UNREACHABLE').waitFor();
    expect(await page.getByLabel('New task').inputValue()).toBe('Survive #once');
    await server.restart();
    await page.getByText('Reconnecting …').waitFor({ state: 'detached' });
    await page.getByLabel('New task').press('Enter');
    await task('Survive').waitFor();
    const all = (JSON.parse(server.run('ut', 'ls', '--any', 'once', '--json')) as { data: Stored[] }).data;
    expect(all).toHaveLength(1);
  });
});

describe('many tasks at once', () => {
  it('are selected with Shift and with keys, changed together, and changed back with one key', async () => {
    for (const name of ['one', 'two', 'three']) server.run('ut', 'add', `Batch ${name}`, '-t', 'batch');
    await open('?tags=batch');
    await task('Batch one').waitFor();
    await task('Batch three').click({ modifiers: ['Control'] });
    await task('Batch one').click({ modifiers: ['Shift'] });
    await page.getByText('3 tasks selected').waitFor();
    await judgeLooks(page, 'tasks-selected');
    const bar = page.getByRole('toolbar', { name: 'Selected tasks' });
    await bar.getByRole('button', { name: 'Edit tasks' }).click();
    await page.getByLabel('Add tags, separated by commas').fill('together');
    await page.getByLabel('Due').fill('2020-02-03');
    await page.getByLabel('Priority').selectOption('High');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await eventually(() => page.getByText('Overdue Feb 3, 2020').count()).toBe(3);
    expect(stored('Batch two')).toMatchObject({ tags: ['batch', 'together'], due: '2020-02-03', priority: 1 });
    await page.locator('main').focus();
    await page.keyboard.press('z');
    await eventually(() => page.getByText('Overdue Feb 3, 2020').count()).toBe(0);
    expect(stored('Batch two')).toMatchObject({ tags: ['batch'] });
    await bar.getByRole('button', { name: 'End selection' }).click();
    for (const key of ['j', 'J', 's', 'Escape', 'J']) await page.keyboard.press(key);
    await page.getByText('2 tasks selected').waitFor();
    await bar.getByRole('button', { name: 'Delete' }).click();
    await eventually(() => page.getByRole('article').count()).toBe(1);
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await eventually(() => page.getByRole('article').count()).toBe(3);
  });

  it('complete known tags, edit in place, and link web addresses', async () => {
    await open();
    await page.getByLabel('New task').fill('Read https://example.org/guide. #bat');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const added = task('Read https://example.org/guide.');
    expect(await added.getByRole('link').getAttribute('href')).toBe('https://example.org/guide');
    expect(stored('Read https://example.org/guide.')?.tags).toEqual(['batch']);
    await added.dblclick({ position: { x: 300, y: 45 } });
    await page.getByLabel('Due').fill('2031-05-06');
    await page.getByLabel('Priority').selectOption('Low');
    await page.getByRole('button', { name: 'Save task' }).click();
    await added.getByText('Due May 6, 2031').waitFor();
    expect(stored('Read https://example.org/guide.')).toMatchObject({ due: '2031-05-06', priority: 3 });
  });
});
