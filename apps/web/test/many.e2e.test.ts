import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openSample, write } from '../../holdfast/test/sample.ts';
import { appears, openBrowser, openTab, setUp } from './browser.ts';
import { startServer, type TestServer } from './server.ts';

const MANY = 100_000;
const AT_ONCE = 10_000;

let server: TestServer;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), openBrowser()]);
  const { database, keyspace } = await openSample(server.home, 'np');
  for (let from = 0; from < MANY; from += AT_ONCE) {
    const keys = Array.from({ length: AT_ONCE }, (_, at) => [
      `big/${String(from + at).padStart(6, '0')}`,
      `${from + at}`,
    ]);
    await write(keyspace, Object.fromEntries(keys) as Record<string, string>);
  }
  await write(keyspace, { alpha: 'first', 'zeta/1': 'last' });
  await database.close();
  ({ page } = await openTab(browser));
  await setUp(page, server.setupUrl);
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

describe('a hundred thousand keys', () => {
  it('do not stand in the way of what comes after them', async () => {
    await page.goto(`${server.url}/keys/np`);
    const list = page.getByRole('region', { name: 'Keys' });
    expect(await appears(list.getByRole('button', { name: /^alpha/ }))).toBe(true);
    expect(await appears(list.getByRole('button', { name: 'big/ 199+ keys' }))).toBe(true);
    expect(await appears(list.getByRole('button', { name: 'zeta/ 1 key' }))).toBe(true);
  });

  it('are read as one scrolls, and only those that are seen are in the page', async () => {
    await page.goto(`${server.url}/keys/np?prefix=big/`);
    const list = page.getByRole('region', { name: 'Keys' });
    await list.getByRole('button', { name: /^000000/ }).waitFor();
    const { height } = (await list.getByRole('listitem').first().boundingBox()) ?? { height: 0 };
    // The end moves as more keys arrive, so this scrolls until the key is loaded.
    for (const last of ['000199', '000399', '000599', '000799']) {
      const button = list.getByRole('button', { name: new RegExp(`^${last}`) });
      const scroll = async () => {
        await list.evaluate((element, top) => element.scrollTo(0, top), Number(last) * height);
        return await button.isVisible();
      };
      await expect.poll(scroll, { timeout: 30_000, interval: 20 }).toBe(true);
    }
    expect(await list.getByRole('listitem').count()).toBeLessThan(60);
  });

  it('a commit of ten thousand changes is shown in short', async () => {
    await page.goto(`${server.url}/activity?database=np`);
    await page
      .getByRole('button', { name: /10,000 changes/ })
      .first()
      .click();
    expect(await appears(page.getByText('9,900 more changes not shown'))).toBe(true);
  });
});
