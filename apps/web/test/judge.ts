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
 * A page in light and dark, wide and narrow: nothing serious for axe, and nothing beyond the side of the screen. Opposite
 * looks are enough for what is laid over a page that was judged already.
 */
export async function judgeLooks(page: Page, name: string, isOverlay: boolean = false): Promise<void> {
  const part = isOverlay ? '[role=dialog]' : 'html';
  for (const look of isOverlay ? [looks[1], looks[3]] : looks) await judgeLook(page, name, look, part);
  await page.setViewportSize({ width: 1_280, height: 900 });
}

/** One look, for a page that is made of what other pages were judged with: light, where axe asks everything, and narrow. */
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
  // Colours take a moment to change, and half-way between two looks they have neither's contrast.
  await expect.poll(() => violations(page, scheme, part), { message: `${name}, ${width} px, ${scheme}` }).toEqual([]);
  const widths = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ]);
  expect(widths[0], `nothing reaches beyond the side of the screen at ${width} px: ${name}`).toBe(widths[1]);
}
