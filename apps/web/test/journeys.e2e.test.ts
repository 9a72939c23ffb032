import type { Browser, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { appears, eventually, openBrowser, openTab, owner, setUp, type Tab } from './browser.ts';
import { seed } from './seed.ts';
import { startServer, type TestServer } from './server.ts';

let server: TestServer;
let browser: Browser;
let tab: Tab;
let page: Page;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), openBrowser()]);
  tab = await openTab(browser);
  ({ page } = tab);
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

async function go(path: string, title: string): Promise<void> {
  await page.goto(server.url + path);
  await page.getByRole('heading', { level: 1, name: title }).waitFor();
}

// The tests run in order. Each continues with the server of the previous test.
describe('a newcomer', () => {
  it('is told what to do when there is no owner and no link', async () => {
    await go('/', 'Open the one-time link');
    await expect(page.getByText('holdfast serve').first().isVisible()).resolves.toBe(true);
  });

  it('becomes the owner with the link, whose secret leaves the address at once', async () => {
    await setUp(page, server.setupUrl);
    expect(page.url()).toBe(`${server.url}/`);
    const history = await page.evaluate(() => performance.getEntriesByType('navigation').map(({ name }) => name));
    expect(await page.evaluate(() => window.location.hash)).toBe('');
    expect(history).toHaveLength(1);
    await page.goBack();
    expect(page.url()).not.toContain('hfo_');
    expect(tab.complaints).toEqual([]);
  });

  it('finds at home how each application is begun', async () => {
    await go('/', 'Home');
    for (const command of [
      'np start',
      'ut add "Buy milk" -t errand',
      'holdfast notebooks add notes ~/notes',
      'holdfast audiobooks scan ~/Audiobooks',
      'ringmaster init --name "My project"',
    ])
      expect(await appears(page.getByRole('button', { name: `Copy ${command}`, exact: true }))).toBe(true);
  });
});

describe('live', () => {
  it('shows what another process commits, without a reload', async () => {
    await go('/activity?text=stream', 'Activity');
    await page.getByText('No matching commits').waitFor();
    seed(server);
    await page.getByText(/^1 commit$/).waitFor();
    await page.getByRole('button', { name: /np #/ }).click();
    expect(await appears(page.getByText('"title": "Follow the stream"'))).toBe(true);
  });

  it('shows hostile text as text', async () => {
    await go('/activity?database=np&text=onerror', 'Activity');
    await page.getByRole('button', { name: /np #/ }).first().click();
    await page.getByText('<img src=x').first().waitFor();
    expect(await page.title()).toBe('Activity · Holdfast');
    expect(await page.locator('img').count()).toBe(0);
  });

  it('does not change while paused, although a live tab does, and catches up when resumed', async () => {
    await go('/activity?text=Unheard', 'Activity');
    const { page: live } = await openTab(browser, undefined, await page.context().storageState());
    await live.goto(page.url());
    await live.getByRole('button', { name: 'Live. Pause live updates' }).waitFor();
    await page.getByRole('button', { name: 'Live. Pause live updates' }).click();
    await page.getByRole('button', { name: 'Paused. Resume live updates' }).waitFor();
    // When the live tab shows the second commit, any tab that is not paused already shows the first one.
    for (const [title, total] of [
      ['Unheard of', /^1 commit$/],
      ['Unheard again', /^2 commits$/],
    ] as const) {
      server.run('np', 'task', 'add', '-t', title, '-d', 'x');
      await live.getByText(total).waitFor();
    }
    expect(await page.getByText('No matching commits').isVisible()).toBe(true);
    await page.keyboard.press('p');
    await page.getByText(/^2 commits$/).waitFor();
    await live.context().close();
  });

  it('holds one of the six connections that a browser allows, whichever page is shown, and stays paused', async () => {
    const streams = new Set<string>();
    const isStream = (request: Request): boolean => request.headers()['accept'] === 'text/event-stream';
    const pathOf = (request: Request): string => new URL(request.url()).pathname;
    page.on('request', (request) => isStream(request) && streams.add(pathOf(request)));
    const end = (request: Request): boolean => isStream(request) && streams.delete(pathOf(request));
    page.on('requestfinished', end);
    page.on('requestfailed', end);
    await go('/', 'Home');
    await eventually(() => [...streams]).toEqual(['/api/system/activity']);
    await page.getByRole('link', { name: 'Plans', exact: true }).click();
    await eventually(() => [...streams]).toEqual(['/api/np/events']);
    await page.getByRole('link', { name: 'Tasks', exact: true }).click();
    await eventually(() => [...streams]).toEqual(['/api/utask/events']);
    await page.getByRole('button', { name: 'Live. Pause live updates' }).click();
    await eventually(() => [...streams]).toEqual([]);
    await page.getByRole('link', { name: 'Activity', exact: true }).click();
    await page.getByRole('button', { name: 'Paused. Resume live updates' }).click();
    expect(await appears(page.getByRole('button', { name: 'Live. Pause live updates' }))).toBe(true);
    await eventually(() => [...streams]).toEqual(['/api/system/activity']);
    for (const name of ['request', 'requestfinished', 'requestfailed']) page.removeAllListeners(name);
  });

  it('keeps filters in the address', async () => {
    await go('/activity?view=commits', 'Activity');
    await page.getByLabel('Database').selectOption('accounts');
    await page.getByLabel('Filter by key, value or note').fill('u:');
    await page.waitForURL(/database=accounts&text=u%3A/);
    await page.reload();
    await expect(page.getByLabel('Filter by key, value or note').inputValue()).resolves.toBe('u:');
  });
});

describe('keys', () => {
  it('are walked through as folders, and an index leads to its record', async () => {
    await go('/keys/np', 'Keys');
    const list = page.getByRole('region', { name: 'Keys' });
    await list.getByRole('button', { name: /^s\// }).click();
    await list.getByRole('button').first().click();
    await list.getByRole('button', { name: /^idx\// }).click();
    await list.getByRole('button', { name: /^status\// }).click();
    await list.getByRole('button', { name: /^pending\// }).click();
    await list.getByRole('button').first().click();
    await page.getByText('belongs to').waitFor();
    await page
      .getByRole('link', { name: /\/task\// })
      .first()
      .click();
    await page.getByRole('region', { name: 'Value' }).getByText('"pending"').waitFor();
    await page.goBack();
    expect(await appears(page.getByText('belongs to'))).toBe(true);
  });

  it('that hold secrets are not shown', async () => {
    await go('/keys/accounts?prefix=ua:', 'Keys');
    await page.getByText('(hidden)').first().waitFor();
    expect(await page.content()).not.toContain('argon2id$');
  });
});

describe('an administrator', () => {
  it('goes back in time, and again forward', async () => {
    await go('/system', 'System');
    await page.getByRole('button', { name: 'Restore np to revision 2', exact: true }).click();
    await page.getByText('Nothing is lost').waitFor();
    await page.getByRole('button', { name: 'Restore database' }).click();
    await page.getByText(/Restored np to revision 2 .* To undo/).waitFor();
    expect(server.run('np', 'plan')).not.toContain('Unheard of');
    await page.getByRole('button', { name: 'Restore np to revision 7', exact: true }).click();
    await page.getByRole('button', { name: 'Restore database' }).click();
    await page.getByText(/Restored np to revision 7/).waitFor();
    expect(server.run('np', 'plan')).toContain('Unheard of');
  });

  it('makes backups of everything', async () => {
    await page.getByRole('button', { name: 'Back up now' }).click();
    await page.getByText(/Backed up: np_.*accounts_/).waitFor();
    expect(await appears(page.getByRole('row', { name: /^np / }).getByText(/np_.*\.db/))).toBe(true);
  });

  it('adds a user, is told at the field why a password is refused, and loses nothing typed', async () => {
    await go('/users', 'Users');
    await page.getByRole('button', { name: 'Add user' }).click();
    await page.getByLabel('User name').fill('grace');
    await page.getByLabel('Initial password').fill('short');
    await page.getByRole('dialog').getByRole('button', { name: 'Add user' }).click();
    const password = page.getByLabel('Initial password');
    await eventually(() => password.getAttribute('aria-invalid')).toBe('true');
    await page.getByRole('dialog').getByText('A password must have at least 12 characters; this one has 5').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    expect(await page.getByLabel('User name').inputValue()).toBe('grace');
    await password.fill('four random words here');
    await page.getByRole('dialog').getByRole('button', { name: 'Add user' }).click();
    await page.getByText('Added grace').waitFor();
    await page.getByRole('button', { name: 'Add user' }).click();
    await page.getByLabel('User name').fill('Grace');
    await page.getByLabel('Initial password').fill('four random words here');
    await page.getByRole('dialog').getByRole('button', { name: 'Add user' }).click();
    await eventually(() => page.getByLabel('User name').getAttribute('aria-invalid')).toBe('true');
    await page.getByRole('button', { name: 'Cancel' }).click();
  });

  it('shows a user without permission what is missing, on every part of a page', async () => {
    const other = await openTab(browser);
    await other.page.goto(`${server.url}/system`);
    await other.page.getByLabel('User name').fill('grace');
    await other.page.getByLabel('Password').fill('four random words here');
    await other.page.getByRole('button', { name: 'Sign in' }).click();
    for (const name of ['Databases', 'Server']) {
      await other.page.getByRole('region', { name }).getByText('system:read').waitFor();
    }
    expect(await other.page.getByText('Loading').count()).toBe(0);
    await other.page.context().close();
  });

  it('disables a user', async () => {
    await go('/users', 'Users');
    await page.getByRole('button', { name: 'Manage grace' }).click();
    await page.getByLabel('Status').selectOption('disabled');
    await page.getByRole('button', { name: 'Save changes' }).click();
    expect(await appears(page.getByText('Disabled', { exact: true }))).toBe(true);
  });

  it('sorts a table by its titles, up, down, and back', async () => {
    await go('/users', 'Users');
    const table = page.getByRole('region', { name: 'Users' });
    const names = () => table.getByRole('row').locator('td:first-child').allTextContents();
    await table.getByText('grace').waitFor();
    const given = await names();
    const title = table.getByRole('button', { name: 'Name' });
    await title.click();
    await eventually(names).toEqual(['ada', 'grace']);
    expect(await table.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort')).toBe('ascending');
    await title.press('Enter');
    await eventually(names).toEqual(['grace', 'ada']);
    expect(await table.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort')).toBe('descending');
    await title.click();
    await eventually(names).toEqual(given);
    await go('/system', 'System');
    const sizes = page.getByRole('region', { name: 'Databases' }).getByRole('row');
    await page.getByRole('region', { name: 'Databases' }).getByRole('button', { name: 'Name' }).click();
    await eventually(() => sizes.nth(1).locator('td').first().textContent()).toBe('accounts');
  });

  it('is told at the field that the current password is wrong, and stays signed in', async () => {
    await go('/account', 'Account');
    await page.getByLabel('Current password').fill('not my password');
    await page.getByLabel('New password').fill('four other random words');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('This is not your current password.').waitFor();
    expect(await page.getByLabel('Current password').getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(new URL(page.url()).pathname).toBe('/account');
  });

  it('makes a token that is shown once, and neither Escape nor a click outside closes it', async () => {
    await go('/account', 'Account');
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByLabel('Name').fill('my-agent');
    await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click();
    const secret = await page.getByRole('dialog').locator('code').first().textContent();
    const answer = await fetch(`${server.url}/api/account/me`, { headers: { authorization: `Bearer ${secret}` } });
    expect(answer.status).toBe(200);
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    expect(await page.getByRole('dialog').locator('code').first().textContent()).toBe(secret);
    await page.getByRole('button', { name: 'Done' }).click();
    expect(await page.content()).not.toContain(secret);
  });
});

describe('with the keyboard alone', () => {
  it('one signs out, signs in again, comes back, and goes anywhere', async () => {
    await go('/account', 'Account');
    await page.keyboard.press('Tab');
    await expect(page.evaluate(() => document.activeElement?.textContent)).resolves.toBe('Skip to content');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('sign out');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.goto(`${server.url}/system`);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.keyboard.type(owner.username);
    await page.keyboard.press('Tab');
    await page.keyboard.type('not my password');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('CREDENTIALS_WRONG').waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.type(owner.password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'System' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('k');
    await page.getByRole('heading', { name: 'Keys' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('idx');
    await page.waitForURL(/prefix=idx/);
  });
});
