import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';
import { expect } from 'vitest';

/** Without root, provisioning unpacks it into a folder of its own and puts that on the PATH. */
const onPath = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'chromium'));
const candidates = [process.env['HOLDFAST_CHROMIUM'], ...onPath, '/usr/bin/google-chrome'];

export function openBrowser(): Promise<Browser> {
  const executablePath = candidates.find((path) => path !== undefined && existsSync(path));
  if (executablePath === undefined) throw new Error('Chromium is missing: run `npm run provision`');
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'];
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-dev-shm-usage', ...quiet],
  });
}

export interface Look {
  readonly width: number;
  readonly scheme: 'light' | 'dark';
}

export const owner = { username: 'ada', password: 'correct horse battery staple' } as const;

export interface Tab {
  readonly page: Page;
  /** Everything the browser complained about: errors, warnings, violations of the policy. */
  readonly complaints: string[];
}

type State = Awaited<ReturnType<BrowserContext['storageState']>>;

const wideAndLight: Look = { width: 1_280, scheme: 'light' };

export async function openTab(browser: Browser, look: Look = wideAndLight, storageState?: State): Promise<Tab> {
  const complaints: string[] = [];
  const context = await browser.newContext({
    viewport: { width: look.width, height: 900 },
    colorScheme: look.scheme,
    reducedMotion: 'reduce',
    ...(storageState === undefined ? {} : { storageState }),
  });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  return { page, complaints };
}

/** Opens the one-time link and becomes the owner. */
export async function setUp(page: Page, setupUrl: string | null): Promise<void> {
  expect(setupUrl).toContain('/setup#');
  await page.goto(setupUrl ?? '');
  await page.getByLabel('User name').fill(owner.username);
  await page.getByLabel('Password').fill(owner.password);
  await page.getByRole('button', { name: 'Become the owner' }).click();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
}

/** Whether something appears, in the time that the page has for it. */
export async function appears(locator: Locator): Promise<boolean> {
  await locator.first().waitFor();
  return true;
}

/** What becomes so in the time that the page has for it. */
export function eventually<Value>(read: () => Value | Promise<Value>): ReturnType<typeof expect.poll<Value>> {
  return expect.poll(read, { timeout: 15_000 });
}
