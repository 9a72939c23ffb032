import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { violations } from './axe.ts';
import { type Look, openBrowser, openTab } from './browser.ts';
import { startServer, type TestServer } from './server.ts';

/** The server renders the page of error codes itself, for signed-in and other visitors. */

let server: TestServer;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
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
