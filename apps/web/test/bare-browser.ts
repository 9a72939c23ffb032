import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import { type Browser, chromium, type Page } from 'playwright-core';

/** Without root privileges, provisioning unpacks Chromium into a separate folder and adds the folder to the PATH. */
const onPath = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'chromium'));
const candidates = [process.env['HOLDFAST_CHROMIUM'], ...onPath, '/usr/bin/google-chrome'];

/** Used by tests and benchmarks. */
export function openBrowser(): Promise<Browser> {
  const executablePath = candidates.find((path) => path !== undefined && existsSync(path));
  if (executablePath === undefined) throw new Error('Chromium is missing: run `npm run provision`');
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'];
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-dev-shm-usage', ...quiet],
  });
}

export const owner = { username: 'ada', password: 'correct horse battery staple' } as const;

/** Opens the one-time link and becomes the owner. */
export async function becomeOwner(page: Page, setupUrl: string | null): Promise<void> {
  await page.goto(setupUrl ?? '');
  await page.getByLabel('User name').fill(owner.username);
  await page.getByLabel('Password').fill(owner.password);
  await page.getByRole('button', { name: 'Create owner account' }).click();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
}
