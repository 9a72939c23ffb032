import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { appears, eventually, openBrowser, openTab, setUp, type Tab } from './browser.ts';
import { seedLab } from './notebook-lab.ts';
import { seed, seedTasks } from './seed.ts';
import { startServer, type TestServer } from './server.ts';

let server: TestServer;
let browser: Browser;
let tab: Tab;
let page: Page;
let workspace: string;
/** Receives new inbox items. */
let webhook: Server;
let received = '';

beforeAll(async () => {
  webhook = createServer((request, response) => {
    request.on('data', (chunk) => (received += String(chunk)));
    request.on('end', () => response.writeHead(204).end());
  }).listen(0, '127.0.0.1');
  await once(webhook, 'listening');
  const { port } = webhook.address() as AddressInfo;
  const environment = { HOLDFAST_CODEX_ROOTS: tmpdir(), HOLDFAST_INBOX_WEBHOOK: `http://127.0.0.1:${port}/` };
  [server, browser] = await Promise.all([startServer(environment), openBrowser()]);
  tab = await openTab(browser);
  ({ page } = tab);
  await setUp(page, server.setupUrl);
  seed(server);
  seedTasks(server);
  seedLab(server);
  workspace = join(server.project, 'circus');
  mkdirSync(workspace);
  server.runIn(workspace, 'ringmaster', 'init', '--name', 'Circus');
  server.runIn(workspace, 'ringmaster', 'task', 'add', 'Raise the dashboard tent');
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
  webhook?.close();
});

async function go(path: string, title: string): Promise<void> {
  await page.goto(server.url + path);
  await page.getByRole('heading', { level: 1, name: title }).waitFor();
}

const finder = () => page.getByRole('dialog', { name: 'Find anything' });
const option = (name: string | RegExp) => finder().getByRole('option', { name });

async function openFinder(typed: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await finder().getByRole('combobox').fill(typed);
}

describe('find anything', () => {
  it('lists plans, tasks and ringmaster tasks with the same words, and opens one', async () => {
    await go('/', 'Home');
    await openFinder('the dashboard');
    await option(/^Ship the dashboard plan · active/).waitFor();
    await option(/^Ship the dashboard task · open/).waitFor();
    await option(/^Raise the dashboard tent task · ready/).click();
    await page.waitForURL(/\/ringmaster\/[^/]+\/tasks\//u);
    expect(await appears(page.getByRole('heading', { name: 'Raise the dashboard tent' }))).toBe(true);
  });

  it('opens a task of ut in its list, whose page shows only that task', async () => {
    await openFinder('milk');
    await option(/^Buy milk and bread/).click();
    await page.waitForURL(/\/tasks\?/u);
    expect(await appears(page.getByRole('listitem').filter({ hasText: 'Buy milk and bread' }))).toBe(true);
  });

  it('opens with / where a page has no search, and with a second / where it has one', async () => {
    await go('/', 'Home');
    await page.keyboard.press('/');
    expect(await appears(finder())).toBe(true);
    await page.keyboard.press('Escape');
    await go('/tasks', 'Tasks');
    await page.keyboard.press('/');
    await page.getByRole('searchbox', { name: 'Search tasks' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('/');
    expect(await appears(finder())).toBe(true);
    await page.keyboard.press('Escape');
  });

  it('adds the typed text as a task, and takes it back', async () => {
    await go('/', 'Home');
    await openFinder('Water the plants');
    await option('New task: Water the plants').click();
    await page.getByText('Added: Water the plants').waitFor();
    await eventually(() => server.run('ut', 'ls')).toContain('Water the plants');
    await page.getByRole('button', { name: 'Undo' }).click();
    await eventually(() => server.run('ut', 'ls')).not.toContain('Water the plants');
    expect(tab.complaints).toEqual([]);
  });

  it('opens in the editor without inserting a link, and lists the note among recent items', async () => {
    await openFinder('kettle');
    await option(/kitchen/i).click();
    await page.waitForURL(/\/files\//u);
    const text = page.locator('.cm-content');
    await text.click();
    const before = await text.textContent();
    await page.keyboard.press('Control+k');
    await finder().waitFor();
    await eventually(() => finder().getByRole('option').first().textContent()).toMatch(/kitchen/i);
    await page.keyboard.press('Escape');
    expect(await text.textContent()).toBe(before);
  });

  it('finds the same on the command line', () => {
    const { data } = JSON.parse(server.run('holdfast', 'find', 'dashboard', '--json')) as {
      readonly data: { readonly data: readonly { readonly app: string; readonly title: string }[] };
    };
    expect(new Set(data.data.map(({ app }) => app))).toEqual(new Set(['np', 'utask', 'ringmaster']));
  });
});

describe('one inbox', () => {
  const row = (title: string | RegExp) => page.getByRole('article', { name: title });

  it('lists what waits in several applications, and counts it in the tab', async () => {
    server.run('ut', 'add', 'Pay the rent', '--due', '2026-01-02');
    const [task] = JSON.parse(server.run('np', 't', '--json')).data.tasks as readonly { readonly id: string }[];
    server.run('np', 't', 'u', '-i', task?.id ?? '', '-s', 'failed', '-r', 'No paper');
    const asked = ['ask', 'bd', 'Which colour?', '--option', 'Blue', '--option', 'Red'];
    const [ring] = JSON.parse(server.runIn(workspace, 'ringmaster', 'task', 'list', '--json')).data as readonly {
      readonly id: string;
    }[];
    server.runIn(workspace, 'ringmaster', ...asked.with(1, ring?.id ?? ''));
    await go('/inbox', 'Inbox');
    await row('Pay the rent').getByText('Due Jan 2, 2026').waitFor();
    await row('Draw the shell').waitFor();
    await row(/Which colour\?/).waitFor();
    await eventually(() => page.title()).toBe('(3) Inbox · Holdfast');
    expect(await page.locator('link[rel=icon]').getAttribute('href')).toBe('/favicon-waiting.svg');
  });

  it('settles an item in place with one click, and takes it back', async () => {
    await page.getByRole('button', { name: 'Done: Pay the rent' }).click();
    await row('Pay the rent').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await row('Pay the rent').waitFor();
    await page.getByRole('button', { name: /^Blue: .*Which colour/ }).click();
    await row(/Which colour\?/).waitFor({ state: 'detached' });
    await eventually(() => page.title()).toBe('(2) Inbox · Holdfast');
    expect(await row(/Which colour\?/).count()).toBe(0);
  });

  it('snoozes an item, lists it under Snoozed, and shows it again', async () => {
    await page.getByRole('button', { name: 'Snooze Pay the rent' }).click();
    await page.getByRole('menuitem', { name: 'Until tomorrow' }).click();
    await row('Pay the rent').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Snoozed (1)' }).click();
    await row('Pay the rent').getByRole('button', { name: 'Show again' }).click();
    await row('Pay the rent').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Waiting', exact: true }).click();
    expect(await appears(row('Pay the rent'))).toBe(true);
  });

  it('is on the home page, on the command line and at the webhook', async () => {
    await go('/', 'Home');
    expect(await appears(page.getByRole('region', { name: 'Needs you' }).getByText('Pay the rent'))).toBe(true);
    const { data } = JSON.parse(server.run('holdfast', 'inbox', '--json')) as {
      readonly data: { readonly data: readonly { readonly title: string }[] };
    };
    expect(data.data.map(({ title }) => title)).toContain('Pay the rent');
    await expect.poll(() => received, { timeout: 40_000 }).toContain('Pay the rent');
    expect(tab.complaints).toEqual([]);
  });
});

/** Returns the id of a note as soon as the server has indexed it. */
async function noteId(path: string): Promise<string | undefined> {
  const answer = await page.request.get(`${server.url}/api/codex/notebooks/1/files`, { params: { path } });
  return ((await answer.json()) as { readonly data: readonly { readonly id: string }[] }).data[0]?.id;
}

describe('links and activity', () => {
  it('a pasted address shows the title and the state of its target, which lists what links to it', async () => {
    const [task] = JSON.parse(server.runIn(workspace, 'ringmaster', 'task', 'list', '--json')).data as { id: string }[];
    await go('/ringmaster', 'Ringmaster');
    await page.getByRole('link', { name: 'Board' }).click();
    await page.getByText('Raise the dashboard tent').first().click();
    await page.getByRole('heading', { level: 1, name: 'Raise the dashboard tent' }).waitFor();
    expect(page.url()).toContain(task?.id);
    const address = page.url();
    server.run('ut', 'add', `Look at ${address} tomorrow`);
    await go('/tasks', 'Tasks');
    const link = page
      .getByRole('article', { name: /^Look at/ })
      .getByRole('link', { name: 'Raise the dashboard tent' });
    await link.waitFor();
    await link.click();
    await page.waitForURL(address);
    const linked = page.getByRole('list', { name: 'Linked from' });
    expect(await appears(linked.getByRole('link', { name: /^Look at/ }))).toBe(true);
    // The preview of a note shows the same title and state.
    writeFileSync(join(server.project, 'lab', 'ideas', 'tent.md'), `Before the show: ${address}\n`);
    await eventually(() => noteId('ideas/tent.md')).toBeTruthy();
    await page.goto(`${server.url}/notebooks/1/files/${await noteId('ideas/tent.md')}`);
    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.getByRole('link', { name: 'Raise the dashboard tent (ready)' }).click();
    await page.waitForURL(address);
    expect(await appears(linked.getByRole('link', { name: /tent/ }))).toBe(true);
  });

  it('Activity says who changed what in all applications', async () => {
    await go('/activity', 'Activity');
    const changes = page.getByRole('list', { name: 'Changes' });
    expect(await appears(changes.getByText('Raise the dashboard tent'))).toBe(true);
    await page.getByRole('link', { name: 'Commits' }).click();
    expect(await appears(page.getByLabel('Filter by key, value or note'))).toBe(true);
    await go('/', 'Home');
    expect(await appears(page.getByRole('heading', { name: 'What is happening' }))).toBe(true);
  });
});

/** Clicks per finished task, printed at the end. */
const clicksOf = new Map<string, number>();
let clicks = 0;

/** Returns the clicks since the previous task. */
function finished(task: string): number {
  const counted = clicks;
  clicksOf.set(task, counted);
  clicks = 0;
  return counted;
}

afterAll(() => {
  const lines = [...clicksOf].map(([task, counted]) => `${String(counted).padStart(3)}  ${task}`);
  process.stdout.write(`Clicks per task:\n${lines.join('\n')}\n`);
});

/** Clicks a control, and counts the click. */
async function click(name: string | RegExp, role: 'button' | 'menuitem' | 'link' = 'button'): Promise<void> {
  clicks += 1;
  await page
    .getByRole(role, { name, exact: typeof name === 'string' })
    .first()
    .click();
}

describe('everything can be created and changed by clicking', () => {
  const dialog = () => page.getByRole('dialog');

  it('creates a plan with tasks in a chosen folder: two clicks and the folder', async () => {
    mkdirSync(join(server.project, 'garden'));
    clicks = 0;
    await go('/plans', 'Plans');
    await click('New plan');
    await dialog().getByLabel('Directory').fill(server.project);
    await click('Choose …');
    await click('garden');
    await dialog().getByLabel('Goal').fill('Plant the garden');
    await dialog().getByLabel('Tasks').fill('Dig\nSow\n\nWater');
    await click('Create plan');
    await page.getByRole('heading', { level: 1, name: 'Plant the garden' }).waitFor();
    expect(finished('create a plan with tasks in a chosen folder')).toBe(4);
    const plan = server.runIn(join(server.project, 'garden'), 'np', 'p');
    for (const word of ['Plant the garden', 'Dig', 'Sow', 'Water']) expect(plan).toContain(word);
  });

  it('completes, moves and claims a task, each with two clicks, and undoes it', async () => {
    const first = () => page.getByRole('region', { name: 'Task list' }).getByRole('article').first();
    clicks = 0;
    await click('Actions for Dig');
    await click('Complete', 'menuitem');
    await first().getByText('Completed').waitFor();
    expect(finished('complete a task of a plan')).toBe(2);
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
    await first().getByText('Pending').waitFor();
    await click('Actions for Dig');
    await click('Move down', 'menuitem');
    await first().getByText('Sow').waitFor();
    expect(finished('reorder the tasks of a plan')).toBe(2);
    await click('Actions for Sow');
    await click('Claim', 'menuitem');
    await first().getByText('claimed by').waitFor();
    expect(finished('claim a task of a plan')).toBe(2);
  });

  it('rewords the goal with a reason, and archives the plan and makes it active again', async () => {
    await click('Edit goal');
    await dialog().getByLabel('Goal').fill('Plant the whole garden');
    await dialog().getByLabel('Reason').fill('More beds');
    await click('Save goal');
    await page.getByRole('heading', { level: 1, name: 'Plant the whole garden' }).waitFor();
    expect(finished('change the goal of a plan')).toBe(2);
    await click('Archive');
    await click('Archive plan');
    expect(finished('archive a plan')).toBe(2);
    await click('Make active again');
    expect(await appears(page.getByRole('button', { name: 'Add tasks' }))).toBe(true);
  });

  it('says at the field that a directory does not exist', async () => {
    await go('/plans', 'Plans');
    await click('New plan');
    await dialog().getByLabel('Directory').fill(join(server.project, 'nowhere'));
    await dialog().getByLabel('Goal').fill('Nothing');
    await click('Create plan');
    expect(await appears(dialog().getByText(/does not exist/))).toBe(true);
    await click('Cancel');
  });

  it('adds a ringmaster task with a dependency: four clicks', async () => {
    await go('/ringmaster', 'Ringmaster');
    clicks = 0;
    await click('Board', 'link');
    await click('New task');
    await dialog().getByLabel('Title').fill('Sell tickets');
    await dialog().getByRole('textbox', { name: 'Depends on' }).fill('tent');
    await click(/Raise the dashboard tent/);
    await click('Add task');
    await page.getByText('Added: Sell tickets').waitFor();
    expect(finished('add a ringmaster task with a dependency')).toBe(4);
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Sell tickets' }).waitFor();
    expect(await appears(page.getByText('Depends on'))).toBe(true);
    await page.getByRole('button', { name: 'Preview prompt' }).click();
    expect(await appears(page.getByRole('region', { name: 'Prompt' }).getByText('Sell tickets'))).toBe(true);
  });

  it('removes the dependency again', async () => {
    await click('Edit links');
    await dialog()
      .getByRole('button', { name: /^Remove / })
      .click();
    await click('Save links');
    expect(await appears(page.getByText('Links saved'))).toBe(true);
    await eventually(() => page.getByText('Depends on').count()).toBe(0);
  });

  it('adds a project', async () => {
    await go('/ringmaster', 'Ringmaster');
    clicks = 0;
    await click('Board', 'link');
    await click('New project');
    await dialog().getByLabel('Name').fill('Parade');
    await click('Add project');
    expect(await appears(page.getByText('Added: Parade'))).toBe(true);
    expect(finished('add a ringmaster project')).toBe(3);
    expect(server.runIn(workspace, 'ringmaster', 'project', 'list')).toContain('Parade');
  });

  it('starts, pauses and stops workers, which survive a restart of the server', async () => {
    await click('Start workers');
    await dialog().getByText('No workers yet').waitFor();
    await click('Cancel');
    const worker = join(workspace, 'agent.sh');
    writeFileSync(
      worker,
      `#!/bin/sh\ntouch "${workspace}/begun"\nwhile [ ! -e "${workspace}/go" ]; do sleep 0.1; done\n`,
    );
    chmodSync(worker, 0o755);
    const settings = `[run]\nuse_git = false\n[[workers]]\nname = "ada"\ntype = "custom"\ncommand = "${worker}"\n`;
    writeFileSync(join(workspace, 'ringmaster.toml'), settings);
    clicks = 0;
    await click('Start workers');
    await dialog().getByText(worker).waitFor();
    await dialog().getByRole('button', { name: 'Start workers' }).click();
    clicks += 1;
    await page.getByText('Workers started by ada').waitFor();
    expect(finished('start workers')).toBe(2);
    await expect.poll(() => existsSync(join(workspace, 'begun')), { timeout: 30_000 }).toBe(true);
    await click('Pause all workers');
    await page.getByText('Paused', { exact: true }).waitFor();
    await click('Resume all workers');
    await page.getByRole('button', { name: 'Pause all workers' }).waitFor();
    expect(finished('pause and resume all workers')).toBe(2);
    await server.kill();
    await server.restart();
    await page.reload();
    await click('Stop workers');
    expect(finished('stop workers')).toBe(1);
    await page.getByText('Stopping', { exact: true }).waitFor();
    writeFileSync(join(workspace, 'go'), '');
    await page.getByRole('button', { name: 'Start workers' }).waitFor();
    expect(server.runIn(workspace, 'ringmaster', 'status')).toContain('tasks done');
  });

  it('completes all tasks with a tag', async () => {
    for (const name of ['Shirts', 'Socks']) server.run('ut', 'add', name, '-t', 'laundry');
    await go('/tasks?tags=laundry', 'Tasks');
    await page.getByRole('article', { name: 'Socks' }).waitFor();
    clicks = 0;
    await click('Select');
    await click('Select all');
    await click('Mark as done');
    await page.getByText('Done: 2 tasks').waitFor();
    expect(finished('complete all tasks with a tag')).toBe(3);
    expect(server.run('ut', 'ls')).not.toContain('Socks');
  });

  it('makes a directory a project, after a refusal at the field', async () => {
    mkdirSync(join(server.project, 'bakery'));
    await go('/ringmaster', 'Ringmaster');
    clicks = 0;
    await click('Add project');
    await dialog().getByLabel('Name').fill('Bakery');
    await dialog().getByLabel('Directory').fill(join(server.project, 'nowhere'));
    await dialog().getByRole('button', { name: 'Add project' }).click();
    await eventually(() => dialog().getByLabel('Directory').getAttribute('aria-invalid')).toBe('true');
    await dialog().getByLabel('Directory').fill(join(server.project, 'bakery'));
    await dialog().getByRole('button', { name: 'Add project' }).click();
    clicks += 1;
    await page.getByRole('heading', { level: 1, name: 'bakery' }).waitFor();
    expect(finished('make a directory a ringmaster project')).toBe(2);
    expect(server.runIn(join(server.project, 'bakery'), 'ringmaster', 'project', 'list')).toContain('Bakery');
  });

  it('finds an item of any application from any page', async () => {
    clicks = 0;
    await click(/^Find/);
    await finder().getByRole('combobox').fill('Sell tickets');
    clicks += 1;
    await option(/^Sell tickets/).click();
    await page.getByRole('heading', { level: 1, name: 'Sell tickets' }).waitFor();
    expect(finished('find and open an item of any application')).toBe(2);
    expect(clicksOf.size).toBeGreaterThanOrEqual(10);
  });
});
