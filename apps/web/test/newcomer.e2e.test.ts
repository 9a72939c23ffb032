import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { violations } from './axe.ts';
import { appears, type Look, openBrowser, openTab, setUp } from './browser.ts';
import { judgeLooks } from './judge.ts';
import { startServer, type TestServer } from './server.ts';

/** Pages that visitors and newcomers see. The server itself renders the page with the error codes. */

let server: TestServer;
let browser: Browser;
/** Folder that the server offers for notebooks and for the demo. */
const files = mkdtempSync(join(tmpdir(), 'holdfast-files-'));

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer({ HOLDFAST_CODEX_ROOTS: files }), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
  rmSync(files, { recursive: true, force: true });
});

const looks: readonly Look[] = [
  { width: 1_280, scheme: 'light' },
  { width: 360, scheme: 'dark' },
];

it.each(looks)('a problem leads to its code on a page that can be read: $width px, $scheme', async (look) => {
  const problem = (await (await fetch(`${server.url}/api/account/me`)).json()) as { type: string };
  const { page, complaints } = await openTab(browser, look);
  await page.goto(new URL(problem.type, `${server.url}/api/account/me`).href);
  const section = page.locator('section:target');
  expect(await section.getByRole('heading').textContent()).toBe('UNAUTHENTICATED');
  expect(await section.evaluate((element) => element.getBoundingClientRect().top < innerHeight)).toBe(true);
  expect(await page.evaluate(() => getComputedStyle(document.body).maxWidth)).toBe('704px');
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  expect(await violations(page, look.scheme)).toEqual([]);
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('a newcomer says what to use, looks around in example data and removes it', async () => {
  const { page, complaints } = await openTab(browser);
  await setUp(page, server.setupUrl);
  await page.getByRole('heading', { name: 'What do you want to use?' }).waitFor();
  await judgeLooks(page, 'first-steps');
  await page.goto(`${server.url}/books/series`);
  expect(await appears(page.getByText('No series yet'))).toBe(true);
  await page.goto(`${server.url}/books/correct`);
  expect(await appears(page.getByText('No audiobooks yet'))).toBe(true);
  await page.goto(server.url);
  await page.getByRole('button', { name: 'Add example data' }).click();
  await page.getByRole('heading', { name: 'You are looking at example data' }).waitFor({ timeout: 30_000 });
  expect(await appears(page.getByText('Plan a weekend at the lake'))).toBe(true);
  await judgeLooks(page, 'home-with-demo');
  await page.goto(`${server.url}/activity`);
  expect(await appears(page.getByText('Rent a boat'))).toBe(true);
  await judgeLooks(page, 'activity');
  await page.goto(`${server.url}/books`);
  expect(await appears(page.getByText('First steps'))).toBe(true);
  await page.goto(server.url);
  expect(complaints).toEqual([]);
  await page.getByRole('button', { name: 'Remove example data' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove example data' }).click();
  await page.getByText('Removed the example data').waitFor();
  expect(readdirSync(files, { recursive: true })).toEqual([]);
  // A page that is loading the project while it is removed gets 404.
  expect(complaints.filter((text) => !text.includes('404'))).toEqual([]);
});
