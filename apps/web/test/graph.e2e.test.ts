import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { createLogger, createServer, listen, type Listening, loadSite } from '@holdfast/http';
import type { Browser, Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { violations } from './axe.ts';
import { appears, eventually, openBrowser, openTab } from './browser.ts';

const MANY = 2_000;

let folder: string;
let listening: Listening;
let browser: Browser;
let page: Page;
let complaints: readonly string[];

// The component alone, built like the dashboard and served with the same policy.
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-graph-'));
  const configFile = resolve(import.meta.dirname, '../vite.config.ts');
  const root = join(import.meta.dirname, 'programs');
  await build({ root, configFile, logLevel: 'warn', build: { outDir: folder, emptyOutDir: true } });
  const server = createServer({
    apps: [],
    authenticate: () => undefined,
    info: { title: 'test', version: '1' },
    logger: createLogger({ level: 'silent' }),
    site: await loadSite({ folder, pages: ['/'] }),
  });
  listening = await listen(server, { port: 0 });
  browser = await openBrowser();
  ({ page, complaints } = await openTab(browser));
});
afterAll(async () => {
  await browser?.close();
  await listening?.close(100);
  rmSync(folder, { recursive: true, force: true });
});

async function open(nodes: number): Promise<void> {
  await page.goto(`${listening.url}/?nodes=${nodes}`);
  await page.locator('[data-node=n1]').waitFor({ timeout: 90_000 });
}

const canvas = () => page.getByRole('group', { name: 'Steps', exact: true });

describe('a graph', () => {
  it('is drawn with labels as text, states in words, and what the arrows mean', async () => {
    await open(6);
    const node = page.locator('[data-node=n1]');
    expect(await node.textContent()).toContain('Step 1 <b>of many</b>');
    expect(await appears(node.getByText('In work'))).toBe(true);
    expect(await appears(page.getByText('relates to'))).toBe(true);
    await eventually(() => page.locator('.react-flow__edge').count()).toBe(6);
    // The whole graph is visible in its area, not only present.
    const [outer, inner] = await Promise.all([canvas().boundingBox(), page.locator('[data-node=n5]').boundingBox()]);
    expect(inner!.y).toBeGreaterThan(outer!.y);
    expect(inner!.y + inner!.height).toBeLessThan(outer!.y + outer!.height);
    expect(complaints).toEqual([]);
  });

  it.each(['light', 'dark'] as const)('is accessible in %s, drawn and as a list', async (scheme) => {
    await page.emulateMedia({ colorScheme: scheme });
    expect(await violations(page, scheme)).toEqual([]);
    await page.getByRole('button', { name: 'List', exact: true }).click();
    await page.getByRole('listitem').first().waitFor();
    expect(await violations(page, scheme)).toEqual([]);
    await page.getByRole('button', { name: 'Graph', exact: true }).click();
    await page.locator('[data-node=n1]').waitFor();
  });

  it('is walked through with the keyboard, told in words, and opened', async () => {
    await canvas().focus();
    const told = (text: string) =>
      page.locator('[role=status]').filter({ hasText: text }).waitFor({ state: 'attached' });
    await page.keyboard.press('ArrowRight');
    await told('Step 1 <b>of many</b>, In work');
    await page.keyboard.press('ArrowLeft');
    await told('Step 0');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.title.startsWith('Opened'));
    expect(await page.title()).toMatch(/^Opened n\d$/);
  });

  it('says the same as a list', async () => {
    await page.getByRole('button', { name: 'List', exact: true }).click();
    const list = page.getByRole('region', { name: 'Steps' });
    await list.getByRole('listitem').first().waitFor();
    expect(await list.getByRole('listitem').count()).toBe(6);
    expect(await list.getByRole('listitem').first().textContent()).toContain('blocks Step 1 <b>of many</b>');
    await list
      .getByRole('button', { name: /^Step 5/ })
      .last()
      .click();
    await eventually(() => page.title()).toBe('Opened n5');
  });

  it(`of ${MANY} nodes is laid out beside the page, and only what is seen is drawn`, async () => {
    await open(MANY);
    expect(await page.locator('[data-node]').count()).toBeLessThan(200);
    await canvas().focus();
    await page.keyboard.press('ArrowRight');
    await page.locator('[role=status]').filter({ hasText: 'Step 1 ' }).waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'List', exact: true }).click();
    expect(await appears(page.getByRole('button', { name: /^Step 0 / }))).toBe(true);
    expect(complaints).toEqual([]);
  });
});
