import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { becomeOwner, openBrowser } from '../../apps/web/test/bare-browser.ts';
import { startServer, type TestServer } from '../../apps/web/test/server.ts';
import { type Context, type Figure, quantile } from '../lib/harness.ts';

type Page = Parameters<typeof becomeOwner>[0];

const EVERY_MS = 60;

/**
 * Measures the time from a key press to the next drawn frame. If a message is posted just before a frame, it is
 * delivered after that frame is drawn.
 */
const WATCH = `
  window.delays = [];
  window.addEventListener('keydown', ({ timeStamp }) => {
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => window.delays.push(performance.now() - timeStamp);
      port2.postMessage(0);
    });
  }, { capture: true });
`;

/**
 * Workload: typing in the middle of a note of 1 MB, in a real browser at the built server, with preview and autosave.
 * Timed: from the key to the paint, compared with a note of one line.
 */
export async function benchmark({ quick, progress }: Context): Promise<readonly Figure[]> {
  const keys = quick ? 30 : 300;
  const server = await startServer();
  const browser = await openBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1_280, height: 900 } });
    await page.addInitScript(WATCH);
    await becomeOwner(page, server.setupUrl);
    const folder = join(server.project, 'notes');
    mkdirSync(folder);
    writeFileSync(join(folder, 'long.md'), longNote());
    writeFileSync(join(folder, 'short.md'), 'One line.\n');
    server.run('holdfast', 'notebooks', 'add', 'notes', folder);
    const short = await typing(page, server, 'short.md', keys);
    const long = await typing(page, server, 'long.md', keys);
    progress(
      `  1 MB: median ${ms(long, 0.5)}, 95th ${ms(long, 0.95)}; one line: ${ms(short, 0.5)}, ${ms(short, 0.95)}`,
    );
    const baseline = `${long.length} keys, median ${ms(long, 0.5)}; in a note of one line ${ms(short, 0.5)} and ${ms(short, 0.95)}`;
    const value = quantile(long, 0.95);
    return [{ name: 'web.keystroke.p95', value, unit: 'ms', baseline, goal: 50, better: 'lower' }];
  } finally {
    await browser.close();
    await server.close();
  }
}

function ms(delays: readonly number[], fraction: number): string {
  return `${quantile(delays, fraction).toFixed(1)} ms`;
}

async function typing(page: Page, server: TestServer, name: string, keys: number): Promise<readonly number[]> {
  const id = await fileId(page, server, name);
  await page.goto(`${server.url}/notebooks/1/files/${id}`);
  const content = page.locator('.note-writing .cm-content');
  await content.waitFor();
  // Moves to the middle of the note and waits for the preview.
  await content.click();
  await page.keyboard.press('Control+Home');
  for (let n = 0; n < 20; n++) await page.keyboard.press('PageDown');
  await page.locator('.note-preview p').first().waitFor();
  await page.evaluate('window.delays = []');
  const text = 'the quick brown fox jumps over the lazy dog '.repeat(10).slice(0, keys);
  await page.keyboard.type(text, { delay: EVERY_MS });
  await page.locator('[data-save]:not([data-save=editing])').waitFor();
  return page.evaluate<number[]>('window.delays');
}

/** Waits until the server has indexed the file. */
export async function fileId(page: Page, { url }: TestServer, path: string): Promise<string> {
  for (;;) {
    const response = await page.request.get(`${url}/api/codex/notebooks/1/files?path=${path}`);
    const { data } = (await response.json()) as { readonly data?: readonly { readonly id: string }[] };
    if (data?.[0] !== undefined) return data[0].id;
    await new Promise((wake) => setTimeout(wake, 100));
  }
}

const LENGTH = 1_000_000;

/** A typical long note: headings, paragraphs, lists, code, tables. */
function longNote(): string {
  const parts: string[] = ['# A long note\n'];
  for (let n = 0, length = 0; length < LENGTH; n++) {
    const part = [
      `## Part ${n}\n\nSome *words* about **part ${n}**, with \`code\` and [a link](https://ok.example/${n}).\n`,
      `- [ ] something to do\n- [x] something done\n  - and below it\n`,
      `\`\`\`ts\nconst part${n} = (x: number): number => x * ${n}; // a comment\n\`\`\`\n`,
      `| Name | Value |\n| ---- | ----: |\n| a    | ${n} |\n`,
      `${'A paragraph of plain words that goes on for a while. '.repeat(12)}\n`,
    ].join('\n');
    parts.push(part);
    length += part.length;
  }
  return parts.join('\n');
}
