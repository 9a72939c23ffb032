import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { violations } from './axe.ts';
import { appears, eventually, openBrowser, openTab, setUp } from './browser.ts';
import { judgeLooks } from './judge.ts';
import { seedLab, seedPile } from './notebook-lab.ts';
import { startServer, type TestServer } from './server.ts';

const MANY = 20_000;
/** Page size of the tree. */
const PAGE = 100;

let server: TestServer;
let browser: Browser;
let page: Page;
let complaints: readonly string[];
let folder: string;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer({ HOLDFAST_CODEX_GIT_QUIET_INTERVAL: '0.2' }), openBrowser()]);
  ({ page, complaints } = await openTab(browser));
  await setUp(page, server.setupUrl);
  folder = seedLab(server);
  await seedPile(server, page, MANY);
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

const item = (name: string): Locator => page.getByRole('treeitem', { name, exact: true });
const tree = (): Locator => page.getByRole('tree');
const standsAt = (): Promise<string | null | undefined> =>
  tree().evaluate(
    (element) => document.getElementById(element.getAttribute('aria-activedescendant') ?? '')?.dataset['path'],
  );
const text = (path: string): string => readFileSync(join(folder, path), 'utf8');

async function open(name: string): Promise<void> {
  await page.goto(`${server.url}/notebooks`);
  await page.getByRole('link', { name: `Open ${name}` }).click();
  await tree().waitFor();
}

describe('notebooks', () => {
  it('are listed with how they are doing, and one is added', async () => {
    await page.goto(`${server.url}/notebooks`);
    await page.getByText('All changes saved and committed').nth(1).waitFor();
    await judgeLooks(page, 'notebooks');
    await page.getByRole('button', { name: 'Add notebook' }).click();
    const name = page.getByRole('dialog').getByLabel('Name');
    await name.fill('lab');
    await page.getByRole('dialog').getByRole('button', { name: 'Add notebook' }).click();
    await eventually(() => name.getAttribute('aria-invalid')).toBe('true');
    await name.fill('journal');
    await page.getByRole('dialog').getByRole('button', { name: 'Add notebook' }).click();
    await page.getByRole('heading', { level: 1, name: 'journal' }).waitFor();
    expect(await appears(page.getByRole('treeitem', { name: 'Empty folder' }))).toBe(true);
  });

  it('show their files in a tree that the keyboard goes through', async () => {
    await open('lab');
    await item('ideas').waitFor();
    await tree().focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await item('garden.md').waitFor();
    await page.keyboard.type('ki');
    await eventually(standsAt).toBe('ideas/kitchen.md');
    await page.keyboard.press('ArrowLeft');
    await eventually(standsAt).toBe('ideas');
    await page.keyboard.press('End');
    await eventually(standsAt).toBe('welcome.md');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'welcome.md' }).waitFor();
    expect(await page.title()).toBe('welcome.md · Holdfast');
  });

  it('are rearranged with the keyboard: a name changed, a file cut and put elsewhere, one deleted and taken back', async () => {
    await tree().focus();
    await page.keyboard.type('wel');
    await page.keyboard.press('F2');
    await page.getByLabel('New name for welcome.md').fill('hello.md');
    await page.keyboard.press('Enter');
    await item('hello.md').waitFor();
    expect(text('hello.md')).toContain('title: Welcome');
    await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('tree');
    await page.keyboard.type('hel');
    await page.keyboard.press('Control+x');
    await page.keyboard.type('run');
    await page.keyboard.press('Control+v');
    await eventually(() => text('runs/hello.md')).toContain('title: Welcome');
    await page.keyboard.type('ide');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.type('kit');
    await page.keyboard.press('Delete');
    await page.getByRole('button', { name: 'Move to trash' }).click();
    await item('kitchen.md').waitFor({ state: 'detached' });
    const told = page.getByRole('status').filter({ hasText: 'Moved kitchen.md to trash' });
    await told.getByRole('button', { name: 'Undo' }).click();
    await item('kitchen.md').waitFor();
    expect(text('ideas/kitchen.md')).toContain('kettle');
  });

  it('are rearranged by dragging, which says before what will happen', async () => {
    // The note is open, so the tree follows it.
    await item('hello.md').hover();
    const { x = 0, y = 0 } = (await item('templates').boundingBox()) ?? {};
    await page.mouse.down();
    // The first step starts the drag, the second one moves over a target.
    await page.mouse.move(x + 30, y + 10);
    await page.mouse.move(x + 34, y + 12);
    expect(await appears(page.getByText('Move hello.md to templates').first())).toBe(true);
    await page.mouse.up();
    const told = page.getByRole('status').filter({ hasText: 'Moved hello.md to templates' });
    await told.getByRole('button', { name: 'Undo' }).click();
    await eventually(() => text('runs/hello.md')).toContain('title: Welcome');
  });

  it('follow what other programs do, without losing where one stands', async () => {
    await tree().focus();
    await page.keyboard.type('gard');
    await eventually(standsAt).toBe('ideas/garden.md');
    writeFileSync(join(folder, 'ideas/attic.md'), 'Dust.\n');
    await item('attic.md').waitFor();
    renameSync(join(folder, 'ideas/attic.md'), join(folder, 'ideas/cellar.md'));
    await item('cellar.md').waitFor();
    await item('attic.md').waitFor({ state: 'detached' });
    expect(await standsAt()).toBe('ideas/garden.md');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('tree');
  });

  it('get new notes from their menu, and a note by its name with Ctrl+P', async () => {
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    expect(await violations(page, 'light')).toEqual([]);
    await page.getByRole('menuitem', { name: 'Create note' }).click();
    const name = page.getByRole('dialog').getByLabel('Name');
    await name.fill('garden');
    await page.getByRole('dialog').getByRole('button', { name: 'Create note' }).click();
    await eventually(() => name.getAttribute('aria-invalid')).toBe('true');
    await name.fill('talk');
    await page.getByLabel('Template', { exact: true }).selectOption({ label: 'meeting' });
    await page.getByRole('dialog').getByRole('button', { name: 'Create note' }).click();
    await page.getByRole('heading', { level: 1, name: 'talk.md' }).waitFor();
    expect(text('ideas/talk.md')).toContain('# Meeting');
    await page.keyboard.press('Control+p');
    await page.keyboard.type('gard');
    await page.getByRole('option', { name: /garden/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'garden.md' }).waitFor();
  });

  it('open the note that was typed even when Enter comes before the results', async () => {
    let answer: (() => void) | undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route(/link-names\?query=hell/, async (route) => {
      await held;
      await route.continue();
    });
    await page.keyboard.press('Control+p');
    await page.getByRole('option').nth(1).waitFor();
    await page.getByRole('combobox', { name: 'Note name' }).fill('hell');
    await page.keyboard.press('Enter');
    answer?.();
    expect(await appears(page.getByRole('heading', { level: 1, name: 'hello.md' }))).toBe(true);
    await page.unroute(/link-names\?query=hell/);
  });
});

describe('beside a note', () => {
  it('stand its links to and from others, and one that leads nowhere becomes a note', async () => {
    await item('hello.md').click();
    await page.getByRole('heading', { level: 1, name: 'hello.md' }).waitFor();
    await page.getByRole('button', { name: 'Details' }).click();
    const details = page.getByRole('complementary', { name: 'Details' });
    await details.getByRole('link', { name: 'Garden' }).first().waitFor();
    await judgeLooks(page, 'note-details');
    await details.getByLabel('status', { exact: true }).fill('done');
    await page.keyboard.press('Enter');
    await eventually(() => text('runs/hello.md')).toContain('status: done\n---\n\nSee [[garden]]');
    await details.getByRole('button', { name: /^Create note.*greenhouse/ }).click();
    await page.getByRole('heading', { level: 1, name: 'greenhouse.md' }).waitFor();
    expect(await appears(details.getByText('See [[garden]] and [[greenhouse]].'))).toBe(true);
  });
});

describe('the search', () => {
  it('finds while one types, marks what it found, and is gone through with the keyboard', async () => {
    await page.getByRole('link', { name: 'Search' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Search lab' }).waitFor();
    await page.getByLabel('Search notes').pressSequentially('boi');
    await page.locator('mark', { hasText: 'boils' }).waitFor();
    await eventually(() => new URL(page.url()).searchParams.get('q')).toBe('boi');
    await judgeLooks(page, 'search');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: /kitchen|first run/ }).waitFor();
    await page.goBack();
    await page.getByLabel('Search notes').fill('');
    await page.getByText('Filter by tag').click();
    await page.getByLabel('Tag', { exact: true }).selectOption({ label: '#garden (1)' });
    await page.getByRole('link', { name: /garden\.md/ }).waitFor();
    expect(new URL(page.url()).searchParams.get('tag')).toBe('garden');
    await page.getByRole('button', { name: 'Remove #garden' }).click();
    await page.getByText('Search as you type').waitFor();
  });
});

describe('the past', () => {
  it('of a note is compared version by version, and one is brought back', async () => {
    writeFileSync(join(folder, 'ideas/kitchen.md'), 'The kettle boils at 99 degrees.\n');
    await item('kitchen.md').click();
    await page.getByRole('heading', { level: 1, name: 'kitchen.md' }).waitFor();
    await page.getByRole('link', { name: 'History', exact: true }).last().click();
    await page.getByRole('heading', { level: 1, name: 'History of kitchen.md' }).waitFor();
    const versions = page.getByRole('listitem').filter({ has: page.getByRole('button', { pressed: false }) });
    await page.getByRole('region', { name: 'Differences' }).getByText('99', { exact: true }).waitFor();
    await judgeLooks(page, 'note-history');
    await versions.last().getByRole('button').first().click();
    await page.getByRole('button', { name: 'Restore this version' }).click();
    await page.getByRole('button', { name: 'Restore version', exact: true }).click();
    await expect.poll(() => text('ideas/kitchen.md')).toContain('98');
  });

  it('of a whole notebook shows what each commit changed', async () => {
    await page.getByRole('link', { name: 'History', exact: true }).first().click();
    await page.getByRole('heading', { level: 1, name: 'History of lab' }).waitFor();
    await page
      .getByRole('button', { name: /kitchen/ })
      .first()
      .click();
    const changes = page.getByRole('region', { name: 'Changes in ideas/kitchen.md' });
    expect(await appears(changes.getByText('99'))).toBe(true);
    await judgeLooks(page, 'notebook-history');
  });
});

describe('the queue', () => {
  const failed = (): Locator => page.getByRole('article').filter({ hasText: 'Failed' });

  it('shows what failed and why; it is tried again when the reason is gone, or given up', async () => {
    mkdirSync(join(server.project, 'elsewhere'));
    symlinkSync(join(server.project, 'elsewhere'), join(folder, 'shelf'));
    for (const path of ['shelf/a.md', 'runs/hello.md']) {
      await page.request.post(`${server.url}/api/codex/notebooks/1/files`, {
        data: { path, content: 'x' },
        headers: { origin: server.url },
      });
    }
    await page.goto(`${server.url}/queue`);
    await failed().filter({ hasText: 'runs/hello.md' }).waitFor();
    await failed().filter({ hasText: 'shelf/a.md' }).waitFor();
    await judgeLooks(page, 'queue');
    await page.getByRole('button', { name: 'Create shelf/a.md' }).click();
    const life = page.getByRole('dialog', { name: /^Operation/ });
    await life.getByText('The path contains a symbolic link').waitFor();
    await judgeLooks(page, 'operation', true);
    rmSync(join(folder, 'shelf'));
    mkdirSync(join(folder, 'shelf'));
    await life.getByRole('button', { name: /^Retry/ }).click();
    await eventually(() => life.locator('[data-step=done]').count()).toBeGreaterThanOrEqual(4);
    expect(text('shelf/a.md')).toBe('x');
    await page.keyboard.press('Escape');
    const given = failed().filter({ hasText: 'runs/hello.md' });
    await given.getByRole('button', { name: /^Discard operation/ }).click();
    await given.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /^Discarded/ }).click();
    await page.getByRole('button', { name: 'Create runs/hello.md' }).waitFor();
  });

  it('keeps what was deleted until it is brought back', async () => {
    await page.request.delete(`${server.url}/api/codex/notebooks/1/files/templates`, {
      headers: { origin: server.url },
    });
    await page.getByRole('button', { name: 'Restore templates' }).click();
    await expect.poll(() => text('templates/meeting.md')).toContain('Meeting');
  });
});

describe('on a phone', () => {
  it('the files are in a drawer, and a note opens in one view', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${server.url}/notebooks`);
    await page.getByRole('link', { name: 'lab', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'lab' }).waitFor();
    expect(await page.getByRole('tree').count()).toBe(0);
    await page.getByRole('button', { name: 'Files', exact: true }).click();
    await page.getByRole('dialog', { name: 'Files' }).getByRole('treeitem', { name: 'ideas', exact: true }).click();
    await item('garden.md').click();
    await page.getByRole('heading', { level: 1, name: 'garden.md' }).waitFor();
    await page.locator('[data-arrangement=read]').waitFor();
    expect(await page.getByRole('button', { name: 'Both', exact: true }).count()).toBe(0);
    await page.setViewportSize({ width: 1_280, height: 900 });
    await page.locator('[data-arrangement=both]').waitFor();
  });

  it('a note prints without the tree', async () => {
    await page.getByRole('tree').waitFor();
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('tree').isVisible()).toBe(false);
    await page.emulateMedia({ media: 'screen' });
  });
});

describe('a remote', () => {
  it('is added, refused at its field, and removed', async () => {
    await page.goto(`${server.url}/notebooks/1`);
    await page.getByRole('button', { name: 'Add remote' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Address').fill('ftp://git.example/notes');
    await dialog.getByRole('button', { name: 'Add remote' }).click();
    await eventually(() => dialog.getByLabel('Address').getAttribute('aria-invalid')).toBe('true');
    await dialog.getByLabel('Address').fill('https://git.example/notes');
    await dialog.getByRole('button', { name: 'Add remote' }).click();
    const remotes = page.getByRole('region', { name: 'Remotes' });
    await remotes.getByText('https://git.example/notes').waitFor();
    await remotes.getByRole('button', { name: 'Remove origin' }).click();
    await dialog.getByRole('button', { name: 'Remove remote' }).click();
    await remotes.getByText('https://git.example/notes').waitFor({ state: 'detached' });
    const left = await page.request.get(`${server.url}/api/codex/notebooks/1/remotes`);
    expect(await left.json()).toMatchObject({ data: [] });
  });
});

describe('twenty thousand files in one folder', () => {
  it('are read as one scrolls, and no more of them than is seen', async () => {
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/tree?')) asked.push(request.url());
    });
    await open('pile');
    await item('all').click();
    await item('note 00000.md').waitFor();
    expect(asked).toHaveLength(2);
    const { height } = (await item('note 00000.md').boundingBox()) ?? { height: 0 };
    for (const wanted of [90, 190, 290]) {
      const scroll = async () => {
        await tree().evaluate((element, top) => element.scrollTo(0, top), wanted * height);
        return await item(`note ${String(wanted).padStart(5, '0')}.md`).isVisible();
      };
      await expect.poll(scroll, { timeout: 30_000, interval: 20 }).toBe(true);
    }
    expect(asked.length).toBeLessThanOrEqual(2 + 300 / PAGE + 1);
    expect(await page.getByRole('treeitem').count()).toBeLessThan(60);
  });

  it('and nothing in all of this made the browser complain', () => {
    // The browser logs refused requests: a file may have been moved or deleted, and one remote has a wrong address.
    expect(complaints.filter((complaint) => !/status of (?:400|404|409|412)/u.test(complaint))).toEqual([]);
  });
});
