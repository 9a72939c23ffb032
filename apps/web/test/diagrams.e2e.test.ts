import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { violations } from './axe.ts';
import { eventually, openBrowser, openTab, setUp, type Tab } from './browser.ts';
import { addNotebook, type TestNotebook } from './notebook.ts';
import { startServer, type TestServer } from './server.ts';

let server: TestServer;
let browser: Browser;
let ada: Tab;
let notebook: TestNotebook;
const requests: URL[] = [];

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), openBrowser()]);
  ada = await openTab(browser, { width: 1_280, scheme: 'light', hasServiceWorker: true });
  await setUp(ada.page, server.setupUrl);
  notebook = await addNotebook(server, ada.page, 'lab');
  ada.page.on('request', (request) => requests.push(new URL(request.url())));
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

async function openNote(page: Page, path: string): Promise<void> {
  await page.goto(`${server.url}/notebooks/${notebook.id}/files/${await notebook.fileId(path)}`);
  await page.locator('.note-writing .cm-content').waitFor();
}

const block = (source: string): string => `\`\`\`mermaid\n${source}\n\`\`\`\n\n`;
const FLOW = 'flowchart LR\n  water[Water] -->|heat| steam(Steam)';
const SEQUENCE = 'sequenceDiagram\n  Ada->>Bob: Is it boiling?\n  Bob-->>Ada: Yes';

/** Returns whether the image shown at this place has pixels of a colour. */
function hasColour(page: Page, at: number, colour: readonly [number, number, number]): Promise<boolean> {
  return page.evaluate(
    async ([index, [red, green, blue]]) => {
      const shown = [...document.querySelectorAll<HTMLImageElement>('.note-diagram img')].filter(
        (image) => getComputedStyle(image).display !== 'none',
      );
      const image = shown[index];
      if (image === undefined) return false;
      await image.decode();
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
      const context = canvas.getContext('2d');
      context?.drawImage(image, 0, 0);
      const { data = [] } = context?.getImageData(0, 0, canvas.width, canvas.height) ?? {};
      for (let pixel = 0; pixel < data.length; pixel += 4) {
        if (data[pixel] === red && data[pixel + 1] === green && data[pixel + 2] === blue) return true;
      }
      return false;
    },
    [at, colour] as const,
  );
}

/** The fill of boxes in both themes. */
const LIGHT = [236, 236, 255] as const;
const DARK = [31, 32, 32] as const;

describe('a diagram in a note', () => {
  it('is drawn in the colours of the theme, has its source as text, and loads Mermaid only when there is one', async () => {
    const { page, complaints } = ada;
    notebook.write('plain.md', 'No diagram, but `code`.\n');
    notebook.write('diagrams.md', `# Diagrams\n\n${block(FLOW)}${block(SEQUENCE)}The end.\n`);
    await openNote(page, 'plain.md');
    await page.getByRole('region', { name: 'Preview' }).getByText('No diagram').waitFor();
    expect(await page.locator('iframe').count()).toBe(0);
    await openNote(page, 'diagrams.md');
    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.getByRole('img', { name: 'flowchart LR' }).waitFor();
    await preview.getByRole('img', { name: 'sequenceDiagram' }).waitFor();
    expect(await preview.getByRole('img').count()).toBe(2);
    expect(await preview.getByRole('img').first().getAttribute('alt')).toContain('steam(Steam)');
    expect(await preview.locator('pre').count()).toBe(0);
    expect(await hasColour(page, 0, LIGHT)).toBe(true);
    expect(await hasColour(page, 1, LIGHT)).toBe(true);
    expect(await violations(page, 'light')).toEqual([]);

    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await preview.getByRole('img').count()).toBe(2);
    expect(await hasColour(page, 0, DARK)).toBe(true);
    await page.emulateMedia({ colorScheme: 'dark', media: 'print' });
    expect(await hasColour(page, 0, LIGHT)).toBe(true);
    await page.emulateMedia({ colorScheme: 'light', media: 'screen' });
    expect(complaints).toEqual([]);
  });

  it('with an error shows its source and the message', async () => {
    const { page } = ada;
    notebook.write('wrong.md', `${block('flowchart LR\n  a --> -->')}${block('nothing known')}`);
    await openNote(page, 'wrong.md');
    const errors = page.locator('.note-diagram-error');
    await eventually(() => errors.count()).toBe(2);
    expect(await errors.first().textContent()).toMatch(/^This diagram has an error\. Parse error on line 2/u);
    expect(await page.locator('.note-preview pre').allTextContents()).toEqual([
      'flowchart LR\n  a --> -->',
      'nothing known',
    ]);
  });

  it('is drawn without the server, too', async () => {
    const { page } = ada;
    await page.evaluate(() => navigator.serviceWorker.ready);
    await openNote(page, 'diagrams.md');
    await page.getByRole('img', { name: 'flowchart LR' }).waitFor();
    await server.kill();
    await page.reload();
    await page.getByRole('img', { name: 'flowchart LR' }).waitFor();
    await page.getByRole('img', { name: 'sequenceDiagram' }).waitFor();
    expect(await hasColour(page, 0, LIGHT)).toBe(true);
    await server.restart();
  });
});

describe('a hostile diagram', () => {
  it('runs nothing, loads nothing from elsewhere, and leads nowhere', async () => {
    const { page } = ada;
    const run = 'window.__ran=1;parent.__ran=1';
    const sources = [
      `%%{init: {"securityLevel": "loose", "htmlLabels": true, "flowchart": {"htmlLabels": true}}}%%\nflowchart TD\n  a["<img src=x onerror='${run}'><script>${run}</script>"] --> b["<a href='javascript:${run}'>b</a>"]\n  click a "javascript:${run}" _top\n  click b href "https://evil.example/" _top`,
      `flowchart TD\n  a["<iframe srcdoc='<script>${run}</script>'></iframe>"] --> b\n  click b call alert("${run}")`,
      `%%{init: {"themeCSS": "@import 'https://evil.example/a.css'; * { background: url(https://evil.example/b.png) }"}}%%\nflowchart TD\n  a --> b\n  style a fill:url(https://evil.example/c.svg#x)`,
      `%%{init: {"fontFamily": "x'}</style><script>${run}</script>"}}%%\nsequenceDiagram\n  participant A as <svg onload='${run}'>\n  A->>A: <img src='https://evil.example/d.png'>\n  link A: b @ javascript:${run}`,
      `%%{init: {"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}}}%%\nflowchart TD\n  __proto__ --> constructor`,
    ];
    notebook.write('hostile.md', `${sources.map(block).join('')}The end.\n`);
    const before = requests.length;
    await openNote(page, 'hostile.md');
    const finished = page.locator('.note-diagram, .note-diagram-error');
    await eventually(() => finished.count()).toBe(sources.length);
    const drawn = page.locator('.note-preview .note-diagram img:visible');
    expect(await drawn.count()).toBeGreaterThan(0);
    const address = page.url();
    for (const image of await drawn.all()) {
      await image.click({ position: { x: 20, y: 20 } });
      expect(await image.getAttribute('src')).toMatch(/^data:image\/svg\+xml;/u);
    }
    expect(page.url()).toBe(address);
    for (const frame of page.frames()) {
      expect(await frame.evaluate(() => '__ran' in window || 'polluted' in {})).toBe(false);
    }
    const elsewhere = requests
      .slice(before)
      .filter(({ protocol, origin }) => protocol.startsWith('http') && origin !== server.url);
    expect(elsewhere).toEqual([]);
    expect(await page.locator('.note-preview').locator('svg, script, iframe, a').count()).toBe(0);
  });
});
