import type { Page } from 'playwright-core';
import { expect } from 'vitest';

import { violations } from './axe.ts';

interface Look {
  readonly width: number;
  readonly scheme: 'light' | 'dark';
}

const looks = [
  { width: 1_280, scheme: 'light' },
  { width: 1_280, scheme: 'dark' },
  { width: 360, scheme: 'dark' },
  { width: 360, scheme: 'light' },
] as const;

/**
 * Checks a page in light and dark, wide and narrow: no serious axe violations, and no horizontal overflow. Checks an
 * overlay only in dark and wide, and in light and narrow, because the page below it was checked in all four
 * combinations.
 */
export async function judgeLooks(page: Page, name: string, isOverlay: boolean = false): Promise<void> {
  const part = isOverlay ? '[role=dialog]' : 'html';
  for (const look of isOverlay ? [looks[1], looks[3]] : looks) await judgeLook(page, name, look, part);
  await page.setViewportSize({ width: 1_280, height: 900 });
}

/**
 * Checks a page in only one combination, light and narrow, because other pages with the same components were checked in
 * full.
 */
export async function judgeGlance(page: Page, name: string): Promise<void> {
  await judgeLook(page, name, looks[3], 'html');
  await page.setViewportSize({ width: 1_280, height: 900 });
}

async function judgeLook(page: Page, name: string, { width, scheme }: Look, part: string): Promise<void> {
  const pictures = process.env['HOLDFAST_PICTURES'];
  await page.emulateMedia({ colorScheme: scheme });
  await page.setViewportSize({ width, height: 900 });
  if (pictures !== undefined)
    await page.screenshot({ path: `${pictures}/${name.replaceAll(/\W+/gu, '-')}-${width}-${scheme}.png` });
  // Polls, because colours have too little contrast during their transition.
  await expect.poll(() => violations(page, scheme, part), { message: `${name}, ${width} px, ${scheme}` }).toEqual([]);
  const widths = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ]);
  expect(widths[0], `nothing reaches beyond the side of the screen at ${width} px: ${name}`).toBe(widths[1]);
}
