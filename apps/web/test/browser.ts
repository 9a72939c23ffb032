import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

import { becomeOwner } from './bare-browser.ts';

export { openBrowser, owner } from './bare-browser.ts';

export interface Look {
  readonly width: number;
  readonly scheme: 'light' | 'dark';
  readonly height?: number;
  /** Whether the service worker runs; off by default, because it would answer requests that tests intercept. */
  readonly hasServiceWorker?: boolean;
}

export interface Tab {
  readonly page: Page;
  /** Errors, warnings and policy violations that the browser reported. */
  readonly complaints: string[];
}

type State = Awaited<ReturnType<BrowserContext['storageState']>>;

const wideAndLight: Look = { width: 1_280, scheme: 'light' };

export async function openTab(browser: Browser, look: Look = wideAndLight, storageState?: State): Promise<Tab> {
  const complaints: string[] = [];
  const context = await browser.newContext({
    viewport: { width: look.width, height: look.height ?? 900 },
    colorScheme: look.scheme,
    reducedMotion: 'reduce',
    serviceWorkers: look.hasServiceWorker === true ? 'allow' : 'block',
    ...(storageState === undefined ? {} : { storageState }),
  });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  page.on('console', (message) => {
    const isOurs = message.text() !== 'Service Worker registration blocked by Playwright';
    if (isOurs && (message.type() === 'error' || message.type() === 'warning')) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  return { page, complaints };
}

/** Opens the one-time link and becomes the owner. */
export async function setUp(page: Page, setupUrl: string | null): Promise<void> {
  expect(setupUrl).toContain('/setup#');
  await becomeOwner(page, setupUrl);
}

/** Waits until something appears. */
export async function appears(locator: Locator): Promise<boolean> {
  await locator.first().waitFor();
  return true;
}

/** Polls until the value matches. */
export function eventually<Value>(read: () => Value | Promise<Value>): ReturnType<typeof expect.poll<Value>> {
  return expect.poll(read, { timeout: 15_000 });
}
