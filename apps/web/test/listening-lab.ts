import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

import type { Page } from 'playwright-core';

import { sound } from '../../audiobooks/test/fixtures.ts';
import type { TestServer } from './server.ts';

const FILE_SECONDS = 60;
const FILES = 6;

/**
 * Creates three books: one with several files, one with a single file, chapters and a cover, and one with a long Arabic
 * title.
 */
export function shelveBooks(server: TestServer): void {
  const library = join(server.project, 'library');
  const emma = join(library, 'Jane Austen', 'Emma');
  mkdirSync(emma, { recursive: true });
  for (let at = 0; at < FILES; at += 1) {
    const frequency = 330 + at * 50;
    const tags = { album: 'Emma', album_artist: 'Jane Austen', track: String(at + 1), title: `Volume ${at + 1}` };
    copyFileSync(sound('mp3', { seconds: FILE_SECONDS, frequency, tags }), join(emma, `0${at + 1}.mp3`));
  }
  const dune = join(library, 'Frank Herbert', 'Dune');
  mkdirSync(dune, { recursive: true });
  const duneTags = { title: 'Dune', album: 'Dune', artist: 'Frank Herbert', composer: 'Scott Brick' };
  copyFileSync(sound('m4b', { seconds: 60, chapters: 4, cover: true, tags: duneTags }), join(dune, 'Dune.m4b'));
  const nights = join(library, 'مجهول', LONG_TITLE);
  mkdirSync(nights, { recursive: true });
  const nightTags = { title: LONG_TITLE, album: LONG_TITLE, artist: 'مجهول' };
  copyFileSync(sound('mp3', { seconds: 5, tags: nightTags }), join(nights, 'night.mp3'));
  server.run('holdfast', 'audiobooks', 'scan', library);
}

export const LONG_TITLE = 'كتاب ألف ليلة وليلة والحكايات العجيبة والأخبار الغريبة في الليالي الطوال';

export interface ListedBook {
  readonly id: string;
  readonly title: string;
  readonly segments: readonly { readonly id: string; readonly start_ms: number }[];
}

export async function listedBooks(page: Page): Promise<readonly ListedBook[]> {
  const { data } = await ask<{ readonly data: readonly ListedBook[] }>(page, '/books');
  return Promise.all(data.map(({ id }) => ask<ListedBook>(page, `/books/${id}`)));
}

/** Sends a request with the page's session. */
export async function ask<Answer>(page: Page, path: string, init?: { method: string; body: unknown }): Promise<Answer> {
  return (await page.evaluate(
    async ([address, sent]) => {
      const body = sent === undefined ? {} : { method: sent.method, body: JSON.stringify(sent.body) };
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(`/api/audiobooks${address}`, { ...body, headers });
      if (!response.ok) throw new Error(`${address}: ${response.status} ${await response.text()}`);
      return (await response.json()) as unknown;
    },
    [path, init] as const,
  )) as Answer;
}

/** The position that the player shows. */
export async function positionOf(page: Page): Promise<number> {
  return Number(await page.getByRole('slider', { name: 'Position' }).inputValue());
}

/** The state of the audio elements. */
export function soundsOf(page: Page): Promise<readonly { src: string; isPaused: boolean; at: number; rate: number }[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('audio')]
      .filter(({ src }) => src !== '')
      .map((audio) => ({
        src: audio.src,
        isPaused: audio.paused,
        at: audio.currentTime,
        rate: audio.preservesPitch ? audio.playbackRate : 0,
      })),
  );
}
