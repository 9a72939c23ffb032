import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { appears, eventually, openBrowser, openTab, setUp, type Tab } from './browser.ts';
import { ask, listedBooks, type ListedBook, LONG_TITLE, positionOf, shelveBooks, soundsOf } from './listening-lab.ts';
import { judgeLooks } from './judge.ts';
import { startServer, type TestServer } from './server.ts';

let server: TestServer;
let browser: Browser;
let tab: Tab;
let books: readonly ListedBook[];

/** The server counts milliseconds; the slider counts seconds. */
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

/** Start of a file of the book. */
function startOf(title: string, file: number): number {
  const segment = bookOf(title).segments[file - 1];
  if (segment === undefined) throw new Error(`${title} has no file ${file}`);
  return segment.start_ms;
}

/** Expects that the server has the position at which the audio element stopped. */
async function expectSamePlace(page: Page, title: string, file: number): Promise<void> {
  const id = bookOf(title).segments[file - 1]?.id ?? '';
  const sound = (await soundsOf(page)).find(({ src }) => src.includes(id));
  const heard = startOf(title, file) + (sound?.at ?? Number.NaN) * 1_000;
  await eventually(async () => Math.abs(((await progressOf(page, title))?.position_ms ?? 0) - heard)).toBeLessThan(60);
}

const slider = (page: Page) => page.getByRole('slider', { name: 'Position' }).first();
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

/** Playback continues: the position moves. */
async function expectMoving(page: Page): Promise<void> {
  const before = await positionOf(page);
  await eventually(() => positionOf(page)).toBeGreaterThan(before);
}

describe('the player', () => {
  it('plays a book of several files over their border, and the server knows the place to the moment', async () => {
    const { page } = tab;
    await startBook(page, 'Emma');
    await expectMoving(page);
    await seek(page, startOf('Emma', 2) - 2_000);
    await eventually(() => positionOf(page)).toBeGreaterThan(startOf('Emma', 2));
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
    await page.getByRole('button', { name: 'Unmute' }).waitFor();
    await page.keyboard.press('m');
    await page.getByRole('link', { name: 'Plans', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Plans' }).waitFor();
    await expectMoving(page);
    await page.locator('[data-search]').fill('a b');
    await expectMoving(page);
    // Pauses, so that the position stays where the keys put it.
    await pause(page);
    await seek(page, 0);
    await page.locator('main').focus();
    await page.keyboard.press('ArrowRight');
    await eventually(() => positionOf(page)).toBeGreaterThanOrEqual(30_000);
    await page.keyboard.press('Shift+ArrowLeft');
    await eventually(() => positionOf(page)).toBeLessThan(30_000);
    await eventually(() => ask(page, '/preferences')).toMatchObject({ books: { [bookOf('Emma').id]: { speed: 2.1 } } });
    await page.getByRole('combobox', { name: 'Speed' }).selectOption('1.00');
    await eventually(async () => (await progressOf(page, 'Emma'))?.position_ms).toBeLessThan(30_000);
    expect(await positionOf(page)).toBeLessThanOrEqual(30_000);
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
    // Controls in the other tab affect the tab that plays.
    const place = startOf('Emma', 3) + 3_000;
    await seek(page, place);
    await eventually(() => positionOf(other)).toBeGreaterThanOrEqual(place);
    await pause(other);
    await eventually(async () => Math.abs((await positionOf(page)) - (await positionOf(other)))).toBeLessThanOrEqual(
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
    // Seeks to a position in a file that has not been loaded at all.
    const place = startOf('Emma', 4) + 4_000;
    await seek(page, place);
    await appears(page.getByText('Connection lost'));
    await page.context().setOffline(false);
    await page.getByText('Connection lost').waitFor({ state: 'detached' });
    await expectMoving(page);
    expect(await positionOf(page)).toBeGreaterThanOrEqual(place);
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
    await appears(page.getByText('Connection lost'));
    await server.restart();
    await page.getByText('Connection lost').waitFor({ state: 'detached' });
    await expectMoving(page);
    expect(await positionOf(page)).toBeGreaterThanOrEqual(place);
    await server.kill();
    await pause(page);
    const at = await positionOf(page);
    await server.restart();
    await page.reload();
    await eventually(() => positionOf(page)).toBe(at);
    await eventually(async () => Math.abs(((await progressOf(page, 'Emma'))?.position_ms ?? 0) - at)).toBeLessThan(
      SLIDER_MS,
    );
  });

  it('asks before it leaves a place for that of another device, and knows the way back', async () => {
    const { page } = tab;
    await startBook(page, 'Dune');
    await expectMoving(page);
    await pause(page);
    await eventually(() => progressOf(page, 'Dune')).not.toBeNull();
    const { id, segments } = bookOf('Dune');
    const event = {
      event_id: 'from-the-phone',
      book_id: id,
      event_type: 'progress',
      segment_id: segments[0]?.id,
      position_seconds: 45,
      occurred_at: new Date().toISOString(),
      play_speed: 1,
      device_id: 'Safari on iOS#1',
    };
    await ask(page, '/playback', { method: 'POST', body: { events: [event] } });
    await appears(page.getByText('You listened on Safari on iOS'));
    await page.getByRole('button', { name: 'Jump there' }).click();
    await eventually(() => positionOf(page)).toBeGreaterThanOrEqual(45_000);
    await page.getByRole('button', { name: 'Show chapters and bookmarks' }).click();
    const panel = page.getByRole('dialog');
    await panel.getByRole('button', { name: /Chapter 4/, exact: false }).waitFor();
    await panel.getByRole('button', { name: 'Bookmarks' }).click();
    await panel.getByLabel('Bookmark note').fill('The spice');
    await panel.getByRole('button', { name: 'Add bookmark' }).click();
    await appears(panel.getByText('The spice'));
    await panel.getByRole('combobox', { name: 'Sleep timer' }).selectOption('chapter');
    await judgeLooks(page, 'player panel', true);
    await panel.getByRole('button', { name: 'Close' }).click();
    // The last chapter ends with the book, so playback stops.
    await seek(page, 58_500);
    // If playback had already reached the end of the book, it has stopped and must be started again.
    if (await page.getByRole('button', { name: 'Play', exact: true }).isVisible()) await play(page);
    await eventually(async () => (await progressOf(page, 'Dune'))?.finished).toBe(true);
    expect(await appears(page.getByRole('button', { name: 'Play', exact: true }))).toBe(true);
  });

  it('draws no control of its bar over another, whatever the width of the window', async () => {
    const { page } = tab;
    const controls = page
      .getByRole('region', { name: 'Player' })
      .locator('button:visible, select:visible, input:visible');
    for (const width of [360, 768, 1_024, 1_280, 1_920]) {
      await page.setViewportSize({ width, height: 900 });
      const boxes = await controls.evaluateAll((elements) =>
        elements.map((element) => {
          const { left, right, top, bottom } = element.getBoundingClientRect();
          return { name: element.ariaLabel, left, right, top, bottom };
        }),
      );
      const overlaps = boxes.flatMap((a, at) =>
        boxes
          .slice(at + 1)
          .filter((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
          .map((b) => `${a.name} and ${b.name} at ${width}`),
      );
      expect(overlaps).toEqual([]);
      expect(Math.max(...boxes.map(({ right }) => right))).toBeLessThanOrEqual(width);
    }
    await page.setViewportSize({ width: 1_280, height: 900 });
  });

  it('is on the page of its book: real bookmarks, a pause button, a sleep timer that survives a reload', async () => {
    const { page } = tab;
    await startBook(page, 'Emma');
    await seek(page, 1_000);
    await eventually(() => positionOf(page)).toBeGreaterThan(4_000);
    const shown = page.locator('main');
    await shown.getByLabel('Bookmark note').fill('Here');
    await shown.getByRole('button', { name: 'Add bookmark' }).click();
    await appears(shown.getByText('Here', { exact: true }));
    const { data: marks } = await ask<{ data: readonly { note: string; position_ms: number }[] }>(
      page,
      `/books/${bookOf('Emma').id}/bookmarks`,
    );
    expect(marks.find(({ note }) => note === 'Here')?.position_ms).toBeGreaterThan(3_900);
    await shown
      .getByRole('button', { name: /^Edit note of bookmark/u })
      .first()
      .click();
    await shown.getByLabel('Bookmark note').last().fill('The ball');
    await shown.getByRole('button', { name: 'Save note' }).click();
    await appears(shown.getByText('The ball', { exact: true }));
    await shown
      .getByRole('button', { name: /^Remove bookmark/u })
      .first()
      .click();
    await shown.getByText('The ball', { exact: true }).waitFor({ state: 'detached' });
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
    await appears(shown.getByText('The ball', { exact: true }));
    const timer = page.getByRole('combobox', { name: 'Sleep timer' }).first();
    await timer.selectOption('30');
    await expectMoving(page);
    await shown.getByRole('button', { name: 'Pause Emma' }).click();
    await shown.getByRole('button', { name: 'Resume Emma' }).waitFor();
    await page.reload();
    await eventually(() => timer.inputValue()).toBe('left');
    await timer.selectOption('off');
    await page.reload();
    await eventually(() => timer.inputValue()).toBe('off');
  });

  it('goes on in the new file when the files it plays are merged to one', async () => {
    const { page } = tab;
    await startBook(page, 'Emma');
    await seek(page, startOf('Emma', 2) + 5_000);
    await expectMoving(page);
    const before = await positionOf(page);
    server.run('holdfast', 'audiobooks', 'merge', 'run', 'Emma');
    await seek(page, before);
    await eventually(async () =>
      (await soundsOf(page)).filter(({ isPaused }) => !isPaused).map(({ src }) => src),
    ).not.toContain(bookOf('Emma').segments[1]?.id);
    await expectMoving(page);
    expect(await positionOf(page)).toBeGreaterThanOrEqual(before);
    await pause(page);
    await eventually(async () => (await progressOf(page, 'Emma'))?.generation).toBeGreaterThan(1);
  });
});

describe('what was listened to', () => {
  it('is counted, shown by day and book, and is a year on one sheet', async () => {
    const { page, complaints } = tab;
    complaints.length = 0;
    const stats = await ask<{ listen_seconds: number }>(page, '/stats');
    expect(stats.listen_seconds).toBeGreaterThan(5);
    await page.goto(`${server.url}/books/statistics`);
    await page.getByRole('link', { name: 'Dune' }).waitFor();
    await page.locator('canvas').waitFor();
    await judgeLooks(page, 'statistics');
    const link = page.getByRole('link', { name: /^Your \d{4}$/u });
    const year = (await link.innerText()).slice(-4);
    await link.click();
    await page.getByRole('img', { name: `${year} in audiobooks` }).waitFor();
    await judgeLooks(page, 'year');
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save image' }).click();
    expect((await saved).suggestedFilename()).toBe(`${year}-in-audiobooks.png`);
    expect(complaints).toEqual([]);
  });

  it('is put on playlists, by hand and by a question, and played one after the other', async () => {
    const { page, complaints } = tab;
    await page.goto(`${server.url}/books/playlists`);
    await page.getByRole('button', { name: 'Create playlist' }).click();
    await page.getByLabel('Name').fill('For the train');
    await page.getByRole('dialog').getByRole('button', { name: 'Create playlist' }).click();
    await page.getByRole('heading', { level: 1, name: 'For the train' }).waitFor();
    for (const title of ['Dune', 'Emma', LONG_TITLE]) {
      await page.getByLabel('Title, author, series or narrator').fill(title);
      await page.getByRole('button', { name: `Add ${title}` }).click();
      await page.getByRole('button', { name: `Remove ${title}` }).waitFor();
    }
    await page.getByRole('button', { name: `Move ${LONG_TITLE} up` }).click();
    const order = page.getByRole('list', { name: 'Books', exact: true }).locator('[data-book]');
    await eventually(() => order.evaluateAll((links) => links.map((link) => link.getAttribute('data-book')))).toEqual(
      ['Dune', LONG_TITLE, 'Emma'].map((title) => bookOf(title).id),
    );
    await page.getByRole('button', { name: 'Play all' }).click();
    await eventually(async () => (await soundsOf(page)).some(({ isPaused }) => !isPaused)).toBe(true);
    await judgeLooks(page, 'playlist');
    await page.getByRole('button', { name: 'Show chapters and bookmarks' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Up next' }).click();
    await appears(page.getByRole('list', { name: 'Up next' }).getByText('Emma'));
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await pause(page);
    await page.goto(`${server.url}/books/playlists`);
    await page.getByRole('button', { name: 'Create playlist' }).click();
    await page.getByLabel('Name').fill('By Jane Austen');
    await page.getByRole('button', { name: 'Smart' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Create playlist' }).click();
    await page.getByRole('heading', { level: 2, name: '3 books' }).waitFor();
    await page.getByRole('button', { name: 'Add condition' }).click();
    await page.getByLabel('Value').fill('Jane Austen');
    await page.getByRole('heading', { level: 2, name: '1 book' }).waitFor();
    await page.getByRole('button', { name: 'Save conditions' }).click();
    await appears(page.getByText('Author is Jane Austen').first());
    await judgeLooks(page, 'smart playlist');
    expect(complaints).toEqual([]);
  });
});
