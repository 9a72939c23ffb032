import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { landmarkViolations, violations } from './axe.ts';
import { appears, openBrowser, openTab, setUp, type Tab } from './browser.ts';
import { judgeLooks } from './judge.ts';
import { seed, seedTasks } from './seed.ts';
import { startServer, type TestServer } from './server.ts';

interface Case {
  readonly path: string;
  readonly title: string;
  /** Opens further parts of the page before the check. */
  readonly open?: (page: Page) => Promise<void>;
  /**
   * True for an overlay on a page that was checked in all combinations. The overlay itself is checked in only two
   * opposite combinations.
   */
  readonly isOverlay?: boolean;
}

const cases: readonly Case[] = [
  { path: '/', title: 'Home' },
  {
    path: '/activity?database=np',
    title: 'Activity',
    open: (page) => page.getByRole('button', { name: /#3/ }).click(),
  },
  { path: '/keys', title: 'Keys', open: (page) => page.getByRole('button', { name: /^s\// }).waitFor() },
  {
    path: '/keys/accounts?prefix=idx:user:username:&view=flat',
    title: 'Keys',
    async open(page) {
      await page.getByRole('button', { name: /username:ada/ }).click();
      await page.getByRole('link', { name: /^u:/ }).first().click();
      await page.getByText('"active"', { exact: true }).waitFor();
    },
  },
  {
    path: '/keys/np?prefix=idx/active/&view=flat',
    title: 'Keys',
    async open(page) {
      await page.getByRole('button', { name: /^idx\/active/ }).click();
      await page
        .getByRole('link', { name: /\/meta$/ })
        .first()
        .click();
      await page.getByRole('button', { name: /^Show \d+ index/ }).click();
      await page.locator('[data-node]').first().waitFor();
    },
  },
  { path: '/plans', title: 'Plans', open: (page) => page.getByRole('link', { name: /Ship the dashboard/ }).waitFor() },
  {
    path: '/plans?',
    title: 'Plans',
    async open(page) {
      await page.getByRole('link', { name: /Ship the dashboard/ }).click();
      await page.getByRole('heading', { level: 1, name: 'Ship the dashboard' }).waitFor();
      await page.getByText('Show changes').first().click();
    },
  },
  { path: '/plans?text=nowhere', title: 'Plans', open: (page) => page.getByText('No matching plans').waitFor() },
  {
    path: '/tasks?tags=urgent,work',
    title: 'Tasks',
    async open(page) {
      await page.getByRole('article', { name: 'Pager duty' }).waitFor();
      await page.getByRole('button', { name: 'Edit Ship the dashboard' }).click();
      await page.getByRole('form', { name: 'Edit task' }).waitFor();
    },
  },
  { path: '/tasks?text=nothing', title: 'Tasks', open: (page) => page.getByText('No matching tasks').waitFor() },
  { path: '/system', title: 'System', open: (page) => page.locator('canvas').nth(2).waitFor() },
  { path: '/account', title: 'Account', open: (page) => page.getByText('This session').waitFor() },
  { path: '/users', title: 'Users', open: (page) => page.getByRole('button', { name: 'Manage ada' }).click() },
  {
    path: '/?palette',
    title: 'Home',
    isOverlay: true,
    async open(page) {
      await page.keyboard.press('Control+k');
      await page.getByRole('option').first().waitFor();
    },
  },
  {
    path: '/?shortcuts',
    title: 'Home',
    isOverlay: true,
    async open(page) {
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    },
  },
];

/** Events for a timeline: reasons, edits and every status. */
function seedEvents(): void {
  const { data } = JSON.parse(server.run('np', 't', '--json')) as { data: { tasks: { id: string }[] } };
  const [first, second, third] = data.tasks.map(({ id }) => id);
  server.run('np', 't', 'u', '-i', first ?? '', '-s', 'completed', '-i', second ?? '', '-s', 'in_progress');
  server.run('np', 't', 'claim', second ?? '', '--actor', 'claude');
  server.run('np', 't', 'u', '-i', third ?? '', '-s', 'failed', '-r', 'It was shown as text, which is right');
  server.run('np', 'g', 'u', '-t', 'Ship the dashboard', '-d', 'So that people can watch', '-r', 'Shorter says more');
}

let server: TestServer;
let browser: Browser;
let tab: Tab;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), openBrowser()]);
  tab = await openTab(browser);
  await setUp(tab.page, server.setupUrl);
  seed(server);
  seedTasks(server);
  seedEvents();
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

describe('in light and dark, wide and narrow, accessible, fitting, without complaints of the browser', () => {
  it.each(cases)('$path', async ({ path, title, open, isOverlay = false }) => {
    const { page, complaints } = tab;
    await page.goto(server.url + path);
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    await open?.(page);
    if (!isOverlay) expect(await landmarkViolations(page)).toEqual([]);
    await judgeLooks(page, path, isOverlay);
    expect(complaints).toEqual([]);
  });

  it('an address that no page has', async () => {
    const { page } = tab;
    await page.goto(`${server.url}/account`);
    await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor();
    await page.evaluate(() => history.pushState({}, '', '/nowhere'));
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor({ state: 'attached' });
    expect(await landmarkViolations(page)).toEqual([]);
  });

  it('the charts of the system, which show the first sample at once', async () => {
    const { page } = tab;
    let asked = 0;
    await page.route('**/api/system/info', (route) => ((asked += 1) === 1 ? route.continue() : undefined));
    await page.goto(`${server.url}/system`);
    const chart = page.getByRole('region', { name: 'Server', exact: true });
    expect(await appears(chart.getByText(/\d MB$/u))).toBe(true);
    await page.unroute('**/api/system/info');
  });

  it('the menu where there is no room for a sidebar', async () => {
    const { page, complaints } = tab;
    await page.goto(server.url);
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByRole('button', { name: 'Open menu' }).click();
    await page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Users' }).waitFor();
    expect(await violations(page, 'light')).toEqual([]);
    await page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Users' }).click();
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it.each([
    ['/sign-in', 'Sign in'],
    ['/setup', 'Already set up'],
  ])('%s, for those who are not signed in', async (path, title) => {
    const { page, complaints } = await openTab(browser);
    await page.goto(server.url + path);
    await page.getByRole('heading', { name: title }).waitFor();
    await judgeLooks(page, path);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
