import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { eventually, openBrowser, openTab, setUp, type Tab } from './browser.ts';
import { judgeLooks } from './judge.ts';
import { ask, FILE_SECONDS, type ListedBook, LONG_TITLE, placeOf, shelveBooks, soundsOf } from './listening-place.ts';
import { startServer, type TestServer } from './server.ts';

let server: TestServer;
let browser: Browser;
let tab: Tab;
let books: readonly ListedBook[];

const FILE_MS = FILE_SECONDS * 1_000;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), openBrowser()]);
  tab = await openTab(browser);
  await Promise.all([setUp(tab.page, server.setupUrl), shelveBooks(server)]);
  ({ data: books } = await ask<{ data: readonly ListedBook[] }>(tab.page, '/books'));
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

function bookOf(title: string): ListedBook {
  const found = books.find((book) => book.title === title);
  if (found === undefined) throw new Error(`There is no ${title} among ${books.map((each) => each.title).join(', ')}`);
  return found;
}

function progressOf(page: Page, title: string): Promise<{ position_ms: number; finished: boolean } | null> {
  return ask(page, `/progress/${bookOf(title).id}`);
}

async function seek(page: Page, toMs: number): Promise<void> {
  await page.getByRole('slider', { name: 'Place in the book' }).fill(String(toMs));
}

const play = (page: Page): Promise<void> => page.getByRole('button', { name: 'Play', exact: true }).click();
const pause = (page: Page): Promise<void> => page.getByRole('button', { name: 'Pause', exact: true }).click();

async function startBook(page: Page, title: string): Promise<void> {
  const me = await page.evaluate(
    async () => (await (await fetch('/api/account/me')).json()) as { user: { id: string } },
  );
  const book = bookOf(title);
  await page.evaluate((kept) => localStorage.setItem('holdfast.player.last', JSON.stringify(kept)), {
    userId: me.user.id,
    book,
    queue: [],
  });
  await page.reload();
  await play(page);
}

describe('the player', () => {
  it('plays, and goes over the border of two files', async () => {
    const { page } = tab;
    await startBook(page, 'Emma');
    await eventually(() => placeOf(page)).toBeGreaterThan(500);
    await seek(page, FILE_MS - 2_000);
    await eventually(() => placeOf(page)).toBeGreaterThan(FILE_MS + 300);
    const sounds = await soundsOf(page);
    expect(sounds.filter(({ isPaused }) => !isPaused)).toHaveLength(1);
    await page.screenshot({ path: '/tmp/h/d2-bar.png' });
    await pause(page);
    const at = await placeOf(page);
    await eventually(async () => (await progressOf(page, 'Emma'))?.position_ms).toBe(at);
  });
});
