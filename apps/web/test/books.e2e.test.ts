import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { hebrewTitle, longTitle, picture, plantLibrary } from './book-library.ts';
import { appears, eventually, openBrowser, openTab, setUp } from './browser.ts';
import { judgeGlance, judgeLooks } from './judge.ts';
import { seedManyBooks } from './many-books.ts';
import { startServer, type TestServer } from './server.ts';

const PATIENTLY = { timeout: 60_000 };
const MANY = 5_000;

let server: TestServer;
let browser: Browser;
let page: Page;
let complaints: readonly string[];
let root: string;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), openBrowser()]);
  root = join(server.project, 'library');
  plantLibrary(root);
  ({ page, complaints } = await openTab(browser));
  await setUp(page, server.setupUrl);
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

const card = (title: string): Locator => page.getByRole('article', { name: title, exact: true });
const button = (name: string | RegExp): Locator => page.getByRole('button', { name });
const isThere = (path: string): boolean => existsSync(join(root, path));

async function open(path: string, title: string): Promise<void> {
  await page.goto(server.url + path);
  await page.getByRole('heading', { level: 1, name: title }).waitFor();
}

/** Undoes the newest operation with this title. */
async function undoLast(word: string): Promise<void> {
  await button(`Undo: ${word}`).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Undo operation' }).click();
}

function lastOperation(): unknown {
  const { data } = JSON.parse(server.run('holdfast', 'audiobooks', 'operations', 'list', '--json')) as {
    readonly data: readonly unknown[];
  };
  return data[0];
}

// The tests run in order. Each continues with the library of the previous test.
describe('a library', () => {
  it('begins with a folder, which is scanned while one watches', async () => {
    await open('/books', 'Audiobooks');
    await page.getByText('Add your audiobooks').waitFor();
    await judgeLooks(page, 'books-newcomer');
    await page.getByLabel('Folder').fill(join(root, 'nowhere'));
    await button('Add library').click();
    await eventually(() => page.getByLabel('Folder').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Folder').fill(root);
    await page.getByLabel('Name').fill('Shelf');
    await button('Add library').click();
    await card('Emma').waitFor(PATIENTLY);
    await eventually(() => page.getByRole('article').count()).toBe(6);
    expect(await appears(page.getByText('6 books'))).toBe(true);
    await judgeLooks(page, 'books-home');
  });

  it('shows covers, or letters where there is none, and text in its own direction', async () => {
    await open('/books/library', 'Library');
    const cover = card('Emma').locator('img');
    await eventually(() => cover.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(256);
    expect(await card('Dune').locator('svg text').textContent()).toBe('D');
    const direction = (title: string): Promise<string> =>
      card(title)
        .getByText(title, { exact: true })
        .evaluate((element) => getComputedStyle(element).direction);
    expect([await direction(hebrewTitle), await direction('Emma')]).toEqual(['rtl', 'ltr']);
    expect((await card(longTitle).boundingBox())?.height).toBeLessThan(330);
    await judgeLooks(page, 'books-library');
  });

  it('is gone through with the arrow keys, and narrowed in the address', async () => {
    await card('Children of Dune').getByRole('link').focus();
    const focused = (): Promise<string> =>
      page.evaluate(() => document.activeElement?.closest('article')?.ariaLabel ?? '');
    await page.keyboard.press('ArrowRight');
    await eventually(focused).toBe('Dune');
    await page.keyboard.press('End');
    await eventually(focused).toBe(hebrewTitle);
    await page.getByLabel('Search titles, authors, series, narrators').fill('austen');
    await eventually(() => page.getByRole('article').count()).toBe(2);
    expect(page.url()).toContain('q=austen');
    await button('List').click();
    await eventually(() => page.getByRole('listitem').filter({ hasText: 'Jane Austen' }).count()).toBe(2);
    await judgeLooks(page, 'books-list');
    await open('/books/library?genre=Folklore', 'Library');
    await page.getByRole('link', { name: hebrewTitle }).waitFor();
    expect(await button('Covers').getAttribute('aria-pressed')).toBe('false');
    await button('Remove filter genre: Folklore').click();
    await page.getByRole('link', { name: 'Emma' }).waitFor();
    await button('Covers').click();
  });

  it('knows authors, and what is missing in a series', async () => {
    await open('/books/series', 'Series');
    await page.getByRole('link', { name: 'Dune' }).click();
    await page.getByRole('heading', { level: 1, name: 'Dune' }).waitFor();
    const places = page.getByRole('list', { name: 'Books in this series' }).getByRole('listitem');
    expect(await places.allInnerTexts()).toMatchObject(
      [/Dune/u, /Missing: 2/u, /Children of Dune/u].map((text) => expect.stringMatching(text)),
    );
    await judgeLooks(page, 'books-series');
    await open('/books/authors', 'Authors');
    await judgeLooks(page, 'books-authors');
    await page.getByRole('link', { name: 'Jane Austen' }).click();
    await card('Emma').waitFor();
    expect(await page.getByRole('article').count()).toBe(2);
    await judgeGlance(page, 'books-author');
  });

  it('knows who reads, and what kinds of books there are', async () => {
    for (const [path, title, name] of [
      ['narrators', 'Narrators', 'Prunella Scales'],
      ['genres', 'Genres', 'Folklore'],
    ] as const) {
      await open(`/books/${path}`, title);
      expect(await appears(page.getByRole('link', { name }))).toBe(true);
      await judgeGlance(page, `books-${path}`);
    }
  });

  it('shows where one is among its pages also on a phone', async () => {
    await page.setViewportSize({ width: 360, height: 900 });
    await open('/books/rights', 'Access');
    const tab = page.getByRole('navigation', { name: 'Audiobooks' }).getByRole('link', { name: 'Access' });
    const end = async (): Promise<number> => {
      const box = await tab.boundingBox();
      return box === null ? Infinity : box.x + box.width;
    };
    await eventually(end).toBeLessThanOrEqual(360);
    expect(await end()).toBeGreaterThan(0);
    await page.setViewportSize({ width: 1_280, height: 900 });
  });
});

describe('a book', () => {
  it('is edited with a lock that a scan respects, and each change can be taken back', async () => {
    await open('/books/library', 'Library');
    await card('Emma').getByRole('link').click();
    await page.getByRole('heading', { level: 1, name: 'Emma' }).waitFor();
    await judgeLooks(page, 'books-book');
    await button('Edit book').click();
    const dialog = page.getByRole('dialog', { name: 'Edit book' });
    await dialog.getByText('Current value from file tags.').first().waitFor();
    await dialog.getByLabel('Title', { exact: true }).fill('Emma, and others');
    expect(await dialog.getByRole('button', { name: 'Lock title', exact: true }).getAttribute('aria-pressed')).toBe(
      'true',
    );
    await judgeLooks(page, 'books-edit', true);
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('heading', { level: 1, name: 'Emma, and others' }).waitFor();
    server.run('holdfast', 'audiobooks', 'scan', root);
    await page.getByText('edited manually by ada').waitFor();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Emma, and others');
    await button('Undo the change to title').click();
    await page.getByRole('heading', { level: 1, name: 'Emma' }).waitFor();
  });

  it('gets other chapters, which are taken back in the history', async () => {
    await button('Edit chapters').click();
    const list = page.getByRole('list', { name: 'Chapters' });
    await list.getByRole('textbox').nth(1).fill('Opening');
    await list.getByRole('textbox').nth(2).fill('soon');
    await page.getByText('Enter a time such as 1:02:30').waitFor();
    expect(await button('Save chapters').isDisabled()).toBe(true);
    await list.getByRole('textbox').nth(2).fill('0:00.500');
    await judgeLooks(page, 'book-chapters');
    await button('Save chapters').click();
    await button(/Play from Opening, 0:00/u).waitFor();
    await button('Undo the change to chapters').click();
    await eventually(() => button(/Play from Opening/u).count()).toBe(0);
  });

  it('that somebody else changes meanwhile is not overwritten', async () => {
    await button('Edit book').click();
    const dialog = page.getByRole('dialog', { name: 'Edit book' });
    await dialog.getByLabel('Publisher', { exact: true }).fill('Mine');
    server.run('holdfast', 'audiobooks', 'edit', 'Emma', '--year', '1816');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await dialog.getByText('This book was changed elsewhere.').waitFor();
    await dialog.getByRole('button', { name: 'Accept these changes and continue' }).click();
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    expect(await appears(page.getByText('1816, Mine'))).toBe(true);
  });

  it('has a feed that is shown once, and can be taken back', async () => {
    await button('Podcast link').click();
    await button('Create link').click();
    const link = (await page.getByRole('dialog').locator('code').textContent()) ?? '';
    expect((await fetch(link)).status).toBe(200);
    await button('Revoke link').click();
    await eventually(async () => (await fetch(link)).status).toBe(404);
    await button('Close').click();
  });

  it('is put on a playlist that is made on the way, with the keyboard alone, and taken off again', async () => {
    const add = button('Add to playlist');
    const hasFocus = (): Promise<boolean> => add.evaluate((element) => element === document.activeElement);
    await add.press('Enter');
    await page.getByText('No playlists yet.').waitFor();
    await page.keyboard.type('For the road');
    await judgeLooks(page, 'books-add-to-playlist', true);
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Added Emma to new playlist For the road').waitFor();
    await eventually(hasFocus).toBe(true);
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).press('Enter');
    await page.getByText('Removed Emma').waitFor();
    server.run('holdfast', 'audiobooks', 'playlist', 'create', 'For all', '--shared');
    await add.press('Enter');
    await page.getByRole('option', { name: 'For all' }).waitFor();
    expect(await page.getByRole('option').count()).toBe(1);
    await page.keyboard.press('Enter');
    await page.getByText('Added Emma to For all').waitFor();
    await add.press('Enter');
    await page.getByRole('option', { name: 'Already added; open playlist' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'For all' }).waitFor();
    await page.getByRole('link', { name: 'Emma' }).click();
  });

  it('gets another cover, which the history takes back', async () => {
    const shown = (): Promise<string | null> =>
      page.getByRole('main').locator('header img').first().getAttribute('src');
    const before = await shown();
    await page.getByLabel('Cover image').setInputFiles(picture('7c3aed', 'fde68a'));
    expect(await appears(page.getByText('Cover replaced'))).toBe(true);
    await eventually(shown).not.toBe(before);
    await button('Undo the change to cover').first().click();
    await eventually(shown).toBe(before);
  });

  it('has e-books beside its audio, which are downloaded', async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download Emma.epub' }).click(),
    ]);
    expect(readFileSync((await download.path()) ?? '', 'utf8')).toBe('the text of Emma');
  });

  it('is compared with a provider, after an administrator has agreed, and takes what one chooses', async () => {
    await page.getByRole('link', { name: 'Find metadata' }).click();
    await page.getByText('Ask other servers about books?').waitFor();
    await judgeLooks(page, 'books-providers');
    const program = join(server.project, 'find-book');
    const found = {
      id: '1',
      title: 'Emma',
      authors: ['Jane Austen'],
      year: 1815,
      subtitle: 'A Novel',
      genres: ['Romance'],
    };
    writeFileSync(program, `#!/bin/sh\necho '${JSON.stringify({ books: [found] })}'\n`, { mode: 0o755 });
    server.run('holdfast', 'audiobooks', 'provider', 'command', program);
    await page.reload();
    await page.getByText('99 % likely').waitFor();
    await judgeLooks(page, 'books-match');
    const isChosen = (field: string): Promise<boolean> => page.getByRole('checkbox', { name: field }).isChecked();
    // Only empty fields are preselected.
    expect([await isChosen('Subtitle'), await isChosen('Year'), await isChosen('Genres')]).toEqual([
      true,
      false,
      false,
    ]);
    await page.getByRole('checkbox', { name: 'Genres' }).check();
    await button('Apply 2 fields').click();
    await page.getByRole('status').getByText('Changed 2 fields of Emma').waitFor();
    await page.getByRole('list', { name: 'Differences from Emma' }).getByText('Year').waitFor();
    await eventually(() => page.getByRole('checkbox').count()).toBe(1);
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
    await eventually(() => page.getByRole('checkbox').count()).toBe(3);
    await page.getByRole('link', { name: 'Back to Emma' }).click();
    await page.getByRole('heading', { level: 1, name: 'Emma' }).waitFor();
  });

  it('is marked as finished, and begun anew', async () => {
    await button('Mark as finished').click();
    expect(await appears(page.getByText('Finished', { exact: true }))).toBe(true);
    await button('Reset progress').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reset progress' }).click();
    expect(await appears(button('Mark as finished'))).toBe(true);
  });
});

describe('files', () => {
  it('name fields that a pattern reads for many books at once, and back again', async () => {
    await open('/books/correct', 'Correct books');
    await page.getByLabel('Pattern').fill('{subtitle} {sequence}');
    await page.getByText('2 books would change').waitFor();
    await judgeLooks(page, 'books-correct');
    await button('Correct 2 books').click();
    await page.getByText('The pattern changes nothing').waitFor();
    await undoLast('Edit');
    expect(await appears(page.getByText('2 books would change'))).toBe(true);
  });

  it('are moved only after one has seen where to, and back again', async () => {
    await open('/books/organise', 'Organise');
    await page.getByLabel('Template').fill('{author}/{title}');
    const moves = page.getByRole('region', { name: 'Moves' });
    await moves.getByText('Frank Herbert/').first().waitFor();
    await judgeLooks(page, 'books-organise');
    expect(isThere('incoming/Dune 1/01.mp3')).toBe(true);
    await button(/^Move \d+ files$/u).click();
    await eventually(() => isThere('Frank Herbert/Dune/01.mp3')).toBe(true);
    await page.getByText('Already organised').waitFor(PATIENTLY);
    await undoLast('Organise');
    await eventually(() => isThere('incoming/Dune 1/01.mp3')).toBe(true);
    await eventually(() => isThere('Frank Herbert/Dune/01.mp3')).toBe(false);
  });

  it('of a book become one, and many again', async () => {
    await open('/books/merge', 'Merge files');
    await button('Select Pride and Prejudice').click();
    const chapters = page.getByRole('list', { name: 'Resulting chapters' }).getByRole('listitem');
    await expect.poll(() => chapters.count()).toBe(3);
    await judgeGlance(page, 'books-merge');
    await button('Merge 3 files').click();
    await page.getByText('This book is already a single file.').waitFor(PATIENTLY);
    await undoLast('Merge files');
    await page.getByText(/3 files become one/u).waitFor(PATIENTLY);
  });

  it('get the tags of their book, and another format, and back again', async () => {
    await open('/books', 'Audiobooks');
    await card('Emma').getByRole('link').first().click();
    await page.getByRole('heading', { level: 1, name: 'Emma' }).waitFor();
    const files = page.getByRole('region', { name: 'Files' });
    await files.getByRole('button', { name: 'Write tags' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('list', { name: 'Tag changes' }).getByRole('listitem').first().waitFor();
    await judgeLooks(page, 'books-tags', true);
    await dialog.getByRole('button', { name: /^Write \d+ file/u }).click();
    await dialog.waitFor({ state: 'detached' });
    await eventually(lastOperation).toMatchObject({ type: 'tag', status: 'completed' });
    await files.getByRole('button', { name: 'Convert' }).click();
    await dialog.getByLabel('New format').selectOption('opus');
    await dialog.getByRole('button', { name: /^Convert \d+ file/u }).click();
    await files.getByText('opus').first().waitFor(PATIENTLY);
    await open('/books/operations', 'Operations');
    await undoLast('Transcode');
    await expect.poll(() => page.getByText('Undone').count()).toBe(5);
  });

  it('leave a trace of everything that was done with them', async () => {
    await open('/books/operations', 'Operations');
    await eventually(() => page.getByText('Undone').count()).toBe(5);
    await judgeLooks(page, 'books-operations');
    await page.getByRole('link', { name: 'Scan' }).last().click();
    await page.getByText('Finished without warnings').waitFor();
    await judgeGlance(page, 'books-operation');
    await open('/books/duplicates', 'Duplicates');
    expect(await appears(page.getByText('No duplicates'))).toBe(true);
    for (const title of ['Emma', 'Dune'])
      server.run('holdfast', 'audiobooks', 'edit', title, '--isbn', '9780804429573');
    await page.getByText('Same ISBN or ASIN').waitFor();
    await judgeGlance(page, 'books-duplicates');
  });
});

describe('rights', () => {
  it('decide what somebody else sees, and what they may do', async () => {
    const password = 'a different horse and battery';
    const csrf = { origin: server.url };
    const made = await page.request.post(`${server.url}/api/users`, {
      headers: csrf,
      data: { username: 'bob', password, roles: ['user'] },
    });
    expect(made.ok()).toBe(true);
    await open('/books/rights', 'Access');
    const bob = page.getByRole('region', { name: 'bob' });
    await judgeLooks(page, 'books-rights');
    const tick = (label: string): Locator => bob.getByLabel(label);
    const untick = async (label: string): Promise<void> => {
      await tick(label).click();
      await eventually(() => tick(label).isChecked()).toBe(false);
      await eventually(() => tick(label).isEnabled()).toBe(true);
    };
    await untick('All libraries, including future ones');
    await untick('Edit book details');
    const other = await openTab(browser);
    await other.page.goto(`${server.url}/books/library`);
    await other.page.getByLabel('User name').fill('bob');
    await other.page.getByLabel('Password').fill(password);
    await other.page.getByRole('button', { name: 'Sign in' }).click();
    await other.page.getByRole('link', { name: 'Emma' }).click();
    await other.page.getByRole('button', { name: 'Mark as finished' }).waitFor();
    expect(await other.page.getByRole('button', { name: 'Edit book' }).count()).toBe(0);
    expect(await other.page.getByRole('link', { name: 'Organise' }).count()).toBe(0);
    await other.page.goto(`${server.url}/books/organise`);
    await other.page.getByText('You don’t have access').waitFor();
    expect(await other.page.getByLabel('Template').count()).toBe(0);
    await untick('Shelf');
    await other.page.goto(`${server.url}/books`);
    await other.page.getByText('No libraries yet').waitFor();
    await other.page.context().close();
  });
});

describe('thousands of books', () => {
  it('are read as one scrolls, from both ends, and only those that are seen are in the page', async () => {
    await seedManyBooks(server.home, MANY);
    await open('/books/library', 'Library');
    await page.getByText('5,006 books').first().waitFor(PATIENTLY);
    let requests = 0;
    page.on('request', (request) => {
      if (/\/api\/audiobooks\/books\?/u.test(request.url())) requests += 1;
    });
    const places = page.locator('[data-place]');
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await card(hebrewTitle).waitFor();
    await eventually(() => page.locator('[data-skeleton]').count()).toBe(0);
    expect(requests).toBeLessThanOrEqual(2);
    expect(await places.count()).toBeLessThan(70);
    await page.evaluate(() => window.scrollTo(0, 0));
    await card('Book 00000').waitFor();
    // Scrolls beyond the loaded rows: placeholders appear until the data arrives, and no page is requested twice.
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight / 3));
    await eventually(() => page.locator('[data-skeleton]').count()).toBe(0);
    expect(requests).toBeLessThanOrEqual(14);
    expect(await places.count()).toBeLessThan(70);
    expect(complaints.filter((text) => !/status of (?:404|412)/u.test(text))).toEqual([]);
  });
});
