import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { appears, eventually, openBrowser, openTab, setUp, type Tab } from './browser.ts';
import { ask, listedBooks, type ListedBook, placeOf, shelveBooks, soundsOf } from './listening-place.ts';
import { startServer, type TestServer } from './server.ts';

let server: TestServer;
let browser: Browser;
let tab: Tab;
let books: readonly ListedBook[];

/** The server is told in milliseconds; the slider stands at whole seconds. */
const SLIDER_MS = 1_000;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), openBrowser()]);
  tab = await openTab(browser);
  shelveBooks(server);
  await setUp(tab.page, server.setupUrl);
  books = await listedBooks(tab.page);
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

interface Known {
  readonly position_ms: number;
  readonly generation: number;
  readonly finished: boolean;
}

function progressOf(page: Page, title: string): Promise<Known | null> {
  return ask(page, `/progress/${bookOf(title).id}`);
}

/** Where a file of the book begins. */
function startOf(title: string, file: number): number {
  const segment = bookOf(title).segments[file - 1];
  if (segment === undefined) throw new Error(`${title} has no file ${file}`);
  return segment.start_ms;
}

/** Where the sound stopped, by the element that made it, is where the server believes it did. */
async function expectSamePlace(page: Page, title: string, file: number): Promise<void> {
  const id = bookOf(title).segments[file - 1]?.id ?? '';
  const sound = (await soundsOf(page)).find(({ src }) => src.includes(id));
  const heard = startOf(title, file) + (sound?.at ?? Number.NaN) * 1_000;
  await eventually(async () => Math.abs(((await progressOf(page, title))?.position_ms ?? 0) - heard)).toBeLessThan(60);
}

const slider = (page: Page) => page.getByRole('slider', { name: 'Place in the book' }).first();
const seek = (page: Page, toMs: number): Promise<void> => slider(page).fill(String(toMs));
const play = (page: Page): Promise<void> => page.getByRole('button', { name: 'Play', exact: true }).click();
const pause = (page: Page): Promise<void> => page.getByRole('button', { name: 'Pause', exact: true }).click();

async function startBook(page: Page, title: string): Promise<void> {
  await page.goto(`${server.url}/books/${bookOf(title).id}`);
  await page
    .getByRole('button', { name: new RegExp(`^(?:Play|Resume|Listen again) ${title}`) })
    .first()
    .click();
  await page.getByRole('button', { name: 'Pause', exact: true }).waitFor();
}

/** It goes on sounding: the place moves. */
async function expectMoving(page: Page): Promise<void> {
  const before = await placeOf(page);
  await eventually(() => placeOf(page)).toBeGreaterThan(before);
}

describe('the player', () => {
  it('plays a book of several files over their border, and the server knows the place to the moment', async () => {
    const { page } = tab;
    await startBook(page, 'Emma');
    await expectMoving(page);
    await seek(page, startOf('Emma', 2) - 2_000);
    await eventually(() => placeOf(page)).toBeGreaterThan(startOf('Emma', 2));
    expect((await soundsOf(page)).filter(({ isPaused }) => !isPaused)).toHaveLength(1);
    await pause(page);
    await expectSamePlace(page, 'Emma', 2);
  });

  it('goes on across pages, with keys and at another speed, but not while somebody types', async () => {
    const { page } = tab;
    await page.getByRole('link', { name: 'Tasks', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Tasks' }).waitFor();
    await page.keyboard.press(' ');
    await expectMoving(page);
    await page.getByRole('combobox', { name: 'Speed' }).selectOption('2.00');
    await page.locator('main').focus();
    await page.keyboard.press(']');
    await eventually(async () => (await soundsOf(page)).map(({ rate }) => rate)).toContain(2.1);
    await page.keyboard.press('m');
    await page.getByRole('button', { name: 'Sound on' }).waitFor();
    await page.keyboard.press('m');
    await page.getByRole('link', { name: 'Plans', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Plans' }).waitFor();
    await expectMoving(page);
    await page.locator('[data-search]').fill('a b');
    await expectMoving(page);
    await page.locator('main').focus();
    await seek(page, 0);
    await page.locator('main').focus();
    await page.keyboard.press('ArrowRight');
    await eventually(() => placeOf(page)).toBeGreaterThanOrEqual(30_000);
    await page.keyboard.press('Shift+ArrowLeft');
    await eventually(() => placeOf(page)).toBeLessThan(30_000);
    await pause(page);
    await eventually(() => ask(page, '/preferences')).toMatchObject({ books: { [bookOf('Emma').id]: { speed: 2.1 } } });
    await page.getByRole('combobox', { name: 'Speed' }).selectOption('1.00');
  });

  it('is one player in two tabs: one of them sounds, both show the same place', async () => {
    const { page } = tab;
    await play(page);
    await expectMoving(page);
    const other = await page.context().newPage();
    await other.goto(server.url);
    await appears(other.getByText('Playing in another tab'));
    await other.getByRole('button', { name: 'Play here' }).click();
    await appears(page.getByText('Playing in another tab'));
    await expectMoving(other);
    await expectMoving(page);
    expect(await soundsOf(page)).toEqual([]);
    // What is asked for in the one that only shows it happens in the one that sounds.
    const place = startOf('Emma', 3) + 3_000;
    await seek(page, place);
    await eventually(() => placeOf(other)).toBeGreaterThanOrEqual(place);
    await pause(other);
    await eventually(async () => Math.abs((await placeOf(page)) - (await placeOf(other)))).toBeLessThanOrEqual(
      SLIDER_MS,
    );
    await expectSamePlace(other, 'Emma', 3);
    await other.close();
  });

  it('keeps its place when the connection is lost, and tells it when it is back', async () => {
    const { page } = tab;
    await seek(page, 3_000);
    await play(page);
    await expectMoving(page);
    await page.context().setOffline(true);
    // Of that file nothing has come yet.
    const place = startOf('Emma', 4) + 4_000;
    await seek(page, place);
    await appears(page.getByText('The connection is lost'));
    await page.context().setOffline(false);
    await page.getByText('The connection is lost').waitFor({ state: 'detached' });
    await expectMoving(page);
    expect(await placeOf(page)).toBeGreaterThanOrEqual(place);
    await pause(page);
    await expectSamePlace(page, 'Emma', 4);
  });

  it('survives a server that is killed, and a reload meanwhile loses nothing of what was heard', async () => {
    const { page } = tab;
    await startBook(page, 'Emma');
    await seek(page, 5_000);
    await expectMoving(page);
    await server.kill();
    await expectMoving(page);
    const place = startOf('Emma', 5) + 6_000;
    await seek(page, place);
    await appears(page.getByText('The connection is lost'));
    await server.restart();
    await page.getByText('The connection is lost').waitFor({ state: 'detached' });
    await expectMoving(page);
    expect(await placeOf(page)).toBeGreaterThanOrEqual(place);
    await server.kill();
    await pause(page);
    const at = await placeOf(page);
    await server.restart();
    await page.reload();
    await eventually(() => placeOf(page)).toBe(at);
    await eventually(async () => Math.abs(((await progressOf(page, 'Emma'))?.position_ms ?? 0) - at)).toBeLessThan(
      SLIDER_MS,
    );
  });
});
