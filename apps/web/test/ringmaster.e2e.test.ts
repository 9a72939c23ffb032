import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { appears, openBrowser, openTab, setUp } from './browser.ts';
import { judgeLooks } from './judge.ts';
import { createWorkspace, LIVE, type TestWorkspace } from './ringmaster-workspace.ts';
import { startServer, type TestServer } from './server.ts';

let server: TestServer;
let browser: Browser;
let page: Page;
let complaints: string[];
let workspace: TestWorkspace;
/** Address of the workspace, without a view. */
let address: string;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), openBrowser()]);
  ({ page, complaints } = await openTab(browser));
  await setUp(page, server.setupUrl);
});
afterAll(async () => {
  await workspace?.stop();
  await browser?.close();
  await server?.close();
});

const lane = (name: string): Locator => page.locator(`[data-lane=${name}]`);
const card = (id: string): Locator => page.locator(`[data-card="${id}"]`);
const statusOf = (id: string): string =>
  (workspace.data('task', 'show', id) as { task: { status: string } }).task.status;

const focused = (): Promise<string | null> =>
  page.evaluate(() => document.activeElement?.getAttribute('data-card') ?? null);

async function open(view: string, ready: Locator): Promise<void> {
  await page.goto(`${address}/${view}`);
  await ready.first().waitFor();
}

// The tests run in order. Each continues with the workspace of the previous test.
describe('the projects', () => {
  it('tell a newcomer what to type, and one that is begun elsewhere appears by itself', async () => {
    await page.goto(`${server.url}/ringmaster`);
    await page.getByText('No projects yet').waitFor();
    await judgeLooks(page, 'ringmaster-newcomer');
    workspace = createWorkspace(server);
    await page.getByRole('heading', { name: 'circus' }).waitFor({ timeout: 30_000 });
    expect(await appears(page.getByText('Nothing needs your attention.'))).toBe(true);
  });

  it('show what needs a person before what runs', async () => {
    workspace.data('decide', 'ci-0x1', 'Which colour has the ring?', '--option', 'red', '--option', 'blue');
    workspace.start();
    const running = page.getByRole('list', { name: 'Running now' });
    await expect.poll(() => running.getByText('Raise the tent').count(), { timeout: 60_000 }).toBe(LIVE);
    await page.getByRole('article', { name: 'Which colour has the ring?' }).waitFor();
    await judgeLooks(page, 'ringmaster-home');
    await page.getByRole('link', { name: 'Board' }).click();
    await card('ci-live0').waitFor();
    address = page.url().replace(/\/board.*$/u, '');
  });
});

describe('the board of five hundred tasks', () => {
  it('has each where it is, and only draws what is seen', async () => {
    await lane('running').getByText('Raise the tent, part 3').waitFor();
    expect(await lane('ready').getByRole('article').count()).toBeGreaterThan(3);
    expect(await lane('waiting').getAttribute('aria-label')).toMatch(/4\d\d tasks/u);
    expect(await lane('done').getByText('Nothing done yet').count()).toBe(1);
    expect(await page.getByRole('article').count()).toBeLessThan(150);
    await judgeLooks(page, 'ringmaster-board');
  });

  it('lets a task go on as soon as its decision is answered in the page', async () => {
    await open('board?text=ci-0x1', card('ci-0x1'));
    expect(await appears(lane('waiting').locator('[data-card="ci-0x1"]'))).toBe(true);
    // The questions are collapsed at first, so that the board stays on the first screen.
    expect(await page.getByRole('button', { name: 'blue' }).isVisible()).toBe(false);
    expect((await lane('waiting').boundingBox())?.y).toBeLessThan(450);
    await page.getByText('needs your answer').click();
    await page.getByRole('button', { name: 'blue' }).click();
    await lane('ready').locator('[data-card="ci-0x1"]').waitFor();
    await expect.poll(() => page.getByRole('article', { name: 'Which colour has the ring?' }).count()).toBe(0);
  });

  it('moves a card by dragging it', async () => {
    await open('board', card('ci-0x2'));
    // Card and column must both be visible. If one were not, the page would scroll between the press and the first
    // move, which would drag another card.
    await card('ci-0x2').dragTo(lane('done').getByRole('heading'));
    await lane('done').locator('[data-card="ci-0x2"]').waitFor();
    await expect.poll(() => statusOf('ci-0x2')).toBe('done');
  });

  it('takes a move back with Undo', async () => {
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => statusOf('ci-0x2')).toBe('ready');
    await lane('ready').locator('[data-card="ci-0x2"]').waitFor();
    await card('ci-0x2').dragTo(lane('done').getByRole('heading'));
    await expect.poll(() => statusOf('ci-0x2')).toBe('done');
  });

  it('goes from card to card and moves one with the keyboard, and says so', async () => {
    await card('ci-0x3').focus();
    await page.keyboard.press('Shift+ArrowRight');
    await lane('review').locator('[data-card="ci-0x3"]').waitFor();
    await page
      .locator('[role=status]')
      .filter({ hasText: 'Act 1, number 4 moved to Review' })
      .waitFor({ state: 'attached' });
    await expect.poll(() => statusOf('ci-0x3')).toBe('review');
    await expect.poll(focused).toBe('ci-0x3');
    await page.keyboard.press('ArrowRight');
    await expect.poll(focused).toBe('ci-0x2');
    await page.keyboard.press('m');
    await page.getByRole('dialog').getByRole('button', { name: 'Ready' }).click();
    await expect.poll(() => statusOf('ci-0x2')).toBe('ready');
  });

  it('keeps the focus on a card that comes back because the server refuses, and that somebody else moves', async () => {
    await page.route(/\/tasks\/ci-0x3$/u, (route) => route.abort(), { times: 1 });
    await card('ci-0x3').focus();
    await page.keyboard.press('Shift+ArrowRight');
    expect(await appears(page.getByText('Could not move the task'))).toBe(true);
    await lane('review').locator('[data-card="ci-0x3"]').waitFor();
    await expect.poll(focused).toBe('ci-0x3');
    workspace.data('task', 'done', 'ci-0x3');
    await lane('done').locator('[data-card="ci-0x3"]').waitFor();
    await expect.poll(focused).toBe('ci-0x3');
    complaints.splice(0);
  });

  it('is searched, and the address says for what', async () => {
    await page.getByLabel('Search tasks by title or id').fill('part 2');
    await page.waitForURL(/text=part/u);
    await expect.poll(() => page.locator('[data-card]').count()).toBe(1);
    await page.getByLabel('Search tasks by title or id').fill('');
    await card('ci-live0').waitFor();
    expect(complaints).toEqual([]);
  });
});

describe('a task', () => {
  it('shows what its worker prints as it prints it, and finds words in it', async () => {
    await page.goto(`${address}/tasks/ci-live0`);
    await page.getByRole('heading', { level: 1, name: 'Raise the tent, part 0' }).waitFor();
    const log = page.getByRole('region', { name: 'Log', exact: true });
    await log.getByText('part 0 has begun').waitFor();
    await judgeLooks(page, 'ringmaster-task');
    // Without the pause, the free worker would finish the tasks that later tests look for.
    workspace.data('pause');
    workspace.release('go-0');
    await log.getByText('part 0 stands').waitFor();
    await page.getByLabel('Search Log').fill('STANDS');
    expect(await appears(log.locator('mark'))).toBe(true);
    expect(await appears(page.getByText('1 of 1', { exact: true }))).toBe(true);
    await page.getByText('Done', { exact: true }).first().waitFor();
  });

  it('has its cost on the board, and that it is not merged', async () => {
    await open('board?text=ci-live0', card('ci-live0'));
    await card('ci-live0').getByText('Not merged').waitFor();
    expect(await appears(card('ci-live0').getByText('1.50 USD'))).toBe(true);
  });

  it('shows what was changed and what the worker was told, and is merged', async () => {
    await page.goto(`${address}/tasks/ci-live0`);
    await page.getByRole('button', { name: 'Changes', exact: true }).click();
    await page.getByRole('region', { name: 'Changes in tent-0.txt' }).getByText('canvas').waitFor();
    await judgeLooks(page, 'ringmaster-changes');
    await page.getByRole('button', { name: 'Prompt', exact: true }).click();
    await page.getByRole('region', { name: 'Prompt' }).getByText('DO edit tent-0.txt').waitFor();
    await page.getByRole('button', { name: 'Merge' }).click();
    expect(await appears(page.getByText('Merged into main'))).toBe(true);
  });

  it('is deleted and restored, and its label filters the board', async () => {
    const { id } = workspace.data('task', 'add', 'Sweep the ring', '--label', 'cleaning', '-c', 'broom') as {
      id: string;
    };
    await open('board', card(id));
    await page.getByLabel('Label').selectOption('cleaning');
    await expect.poll(() => page.getByRole('article').count()).toBe(1);
    await open(`tasks/${id}`, page.getByRole('button', { name: 'Delete task' }));
    await page.getByRole('button', { name: 'Delete task' }).click();
    await page.getByRole('button', { name: 'Restore task' }).click();
    await page.getByRole('button', { name: 'Delete task' }).waitFor();
    expect(statusOf(id)).toBe('ready');
  });

  it('is edited, and nobody overwrites what somebody else has changed', async () => {
    await page.goto(`${address}/tasks/ci-3x3`);
    await page.getByRole('button', { name: 'Edit task' }).click();
    workspace.data('task', 'edit', 'ci-3x3', '--title', 'Changed elsewhere');
    await page.getByLabel('Title').fill('Mine');
    await page.getByRole('button', { name: 'Save' }).click();
    expect(await appears(page.getByText('TASK_STALE'))).toBe(true);
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('heading', { level: 1, name: 'Changed elsewhere' }).waitFor();
  });
});

describe('a task that waits for another', () => {
  it('says so in one word, and links to it', async () => {
    await page.goto(`${address}/tasks/ci-5x3`);
    expect(await appears(page.getByText('Waiting', { exact: true }))).toBe(true);
    expect(await page.getByRole('region', { name: 'Waiting for' }).innerText()).not.toContain('ready');
    await page
      .getByRole('region', { name: 'Waiting for' })
      .getByRole('link', { name: 'Act 5, number 2', exact: true })
      .click();
    await page.getByRole('heading', { level: 1, name: 'Act 5, number 2' }).waitFor();
  });
});

describe('the other views', () => {
  it('draw the graph with its critical path, and say the same as a list', async () => {
    await open('graph', page.locator('[data-node]'));
    await page.getByText('highlighted tasks', { exact: false }).waitFor();
    expect(await page.locator('[data-node]').count()).toBeLessThan(200);
    await judgeLooks(page, 'ringmaster-graph');
    await page.getByRole('button', { name: 'List', exact: true }).click();
    await page.getByRole('region', { name: 'Task graph' }).getByRole('listitem').first().waitFor();
    await judgeLooks(page, 'ringmaster-graph-list');
  });

  it('give the reason for each rank', async () => {
    await open('queue', page.getByText(/^Ranked by .*priority/u));
    await expect.poll(() => page.getByText(/^Ranked by /u).count(), polling).toBeGreaterThan(3);
    await judgeLooks(page, 'ringmaster-queue');
  });

  it('pause a worker, show what one prints, and stop it', async () => {
    workspace.data('resume');
    await open('workers', page.getByRole('region', { name: /^Output of / }).getByText('has begun'));
    const rows = page
      .getByRole('region', { name: 'Running now' })
      .getByRole('listitem')
      .filter({ hasText: 'the tent' });
    expect(await rows.count()).toBeGreaterThan(1);
    await expect.poll(() => rows.filter({ hasText: 'has begun' }).count()).toBe(await rows.count());
    await page.getByRole('button', { name: 'Pause fake-2' }).click();
    await page.getByText('Paused', { exact: true }).waitFor();
    await judgeLooks(page, 'ringmaster-workers');
    await page.getByRole('button', { name: 'Cancel Raise the tent, part 1' }).click();
    await page.getByRole('button', { name: 'Stop worker', exact: true }).click();
    await expect
      .poll(() => (workspace.data('task', 'show', 'ci-live1') as Shown).attempts[0]?.outcome, polling)
      .not.toBeNull();
  });

  it('plot what was done', async () => {
    await open('metrics', page.locator('canvas'));
    await page.getByRole('region', { name: 'Metrics by day' }).waitFor();
    await page.getByRole('button', { name: 'Back up now' }).click();
    await page.getByText(/^ringmaster restore --at /u).waitFor();
    await judgeLooks(page, 'ringmaster-metrics');
    expect(complaints.filter((text) => !text.includes('409'))).toEqual([]);
  });

  it('set for one project what ringmaster.toml says for all', async () => {
    await open('settings', page.getByLabel('Tests'));
    await page.getByLabel('Tests').fill('make\ntest');
    await page.getByLabel('Merge finished work').selectOption('Automatically');
    await judgeLooks(page, 'ringmaster-settings');
    await page.getByRole('button', { name: 'Save' }).click();
    expect(await appears(page.getByText('Settings saved. They apply to new attempts.'))).toBe(true);
    expect(workspace.data('project', 'show')).toMatchObject({
      settings: { auto_merge: true, test_command: ['make', 'test'] },
    });
    expect(complaints.filter((text) => !text.includes('409'))).toEqual([]);
  });
});

describe('work in review', () => {
  it('gets comments on its lines, which its worker follows, and is then merged from the queue', async () => {
    workspace.data('project', 'unset', 'test_command');
    workspace.data('project', 'set', 'auto_merge', 'false');
    workspace.data('project', 'set', 'review', 'person');
    workspace.data('resume', 'fake-2');
    for (let part = 1; part < LIVE; part += 1) workspace.release(`go-${part}`);
    const work = 'DO edit wagon.txt red\nDO say ✓ Task complete';
    const { id } = workspace.data('task', 'add', 'Paint the wagon', '--priority', 'P0', '-d', work) as { id: string };
    await expect.poll(() => statusOf(id), polling).toBe('review');
    await open('board', page.getByRole('link', { name: /needs? your review/u }));
    await page.getByRole('link', { name: /needs? your review/u }).click();
    await page.getByRole('button', { name: /^Paint the wagon/u }).click();
    const diff = page.getByRole('region', { name: 'Changes in wagon.txt' });
    await diff.getByText('red').waitFor();
    await diff.getByRole('button', { name: 'Comment on wagon.txt:1' }).click();
    await page.getByRole('textbox', { name: 'Comment on wagon.txt:1' }).fill('Add a blue trim');
    await judgeLooks(page, 'ringmaster-review');
    await page.getByLabel('Comment on the whole').fill('DO append trim.txt blue');
    await page.getByRole('button', { name: 'Request changes (1 comment)' }).click();
    await page.getByRole('region', { name: 'Changes in trim.txt' }).getByText('blue').waitFor(polling);
    const { text } = workspace.data('prompt', 'recorded', id) as { text: string };
    expect(text).toContain('- wagon.txt:1: Add a blue trim');
    await page.getByRole('checkbox', { name: 'Select Paint the wagon' }).check();
    await page.getByRole('button', { name: 'Approve 1' }).click();
    await expect.poll(() => statusOf(id)).toBe('done');
    await page.getByRole('button', { name: 'Undo' }).click();
    const review = page.getByRole('region', { name: 'Review of Paint the wagon' });
    await review.getByRole('button', { name: 'Approve and merge' }).click();
    expect(await appears(page.getByText('Approved and merged 1 task'))).toBe(true);
    expect(statusOf(id)).toBe('done');
  });
});

interface Shown {
  readonly attempts: readonly { readonly outcome: string | null }[];
}
const polling = { timeout: 60_000 } as const;
