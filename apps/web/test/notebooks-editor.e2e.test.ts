import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { violations } from './axe.ts';
import { appears, eventually, openBrowser, openTab, setUp, type Tab } from './browser.ts';
import { hostileFiles, hostileNotes } from './hostile-notes.ts';
import { judgeLooks } from './judge.ts';
import { addNotebook, editorText, type TestNotebook } from './notebook.ts';
import { startServer, type TestServer } from './server.ts';

let server: TestServer;
let browser: Browser;
let ada: Tab;
let notebook: TestNotebook;

beforeAll(async () => {
  const quick = { HOLDFAST_CODEX_GIT_QUIET_INTERVAL: '0.2', HOLDFAST_CODEX_GIT_COMMIT_INTERVAL: '1' };
  [server, browser] = await Promise.all([startServer(quick), openBrowser()]);
  ada = await openTab(browser);
  await setUp(ada.page, server.setupUrl);
  notebook = await addNotebook(server, ada.page, 'lab');
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

async function openNote(page: Page, path: string): Promise<void> {
  await page.goto(`${server.url}/notebooks/${notebook.id}/files/${await notebook.fileId(path)}`);
  await page.locator('.note-writing .cm-content').waitFor();
}

function saveState(page: Page): Promise<string | null> {
  return page.locator('[data-save]').getAttribute('data-save');
}

async function typeAt(page: Page, line: RegExp, text: string, delay: number = 0): Promise<void> {
  await page.locator('.note-writing .cm-line').filter({ hasText: line }).click();
  await page.keyboard.press('End');
  await page.keyboard.type(text, { delay });
}

const words = (name: string, count: number): string[] => Array.from({ length: count }, (_, n) => `${name}${n}`);

describe('several who write the same note at once', () => {
  it('lose no keystroke, see each other, and leave every version in the history', async () => {
    const start = `${['Ada', 'Bob', 'Api', 'Program'].map((name) => `## Part\n\n${name}:\n`).join('\n')}\nend\n`;
    notebook.write('shared.md', start);
    const bob = await openTab(browser, undefined, await ada.page.context().storageState());
    await Promise.all([openNote(ada.page, 'shared.md'), openNote(bob.page, 'shared.md')]);
    const id = await notebook.fileId('shared.md');
    const url = `/notebooks/${notebook.id}/files/${id}`;
    const written: string[] = [];

    const asApi = async (): Promise<void> => {
      for (const word of words('api', 3)) {
        for (let status = 0; status !== 200;) {
          const { hash } = (await notebook.api('GET', url)).body as { hash: string };
          const content = withWord(notebook.read('shared.md'), 'Api', word);
          ({ status } = await notebook.api('PUT', `${url}?wait=30`, { content, base_hash: hash }));
          if (status === 200) written.push(content);
        }
        await ada.page.locator('.note-writing').getByText(word).waitFor();
        await notebook.api('POST', '/events/commit', { notebook: String(notebook.id) });
      }
    };
    const asProgram = async (): Promise<void> => {
      for (const word of words('program', 3)) {
        // Writes like an editor that checks whether the file has changed since it was read.
        let before = notebook.read('shared.md');
        while (notebook.read('shared.md') !== before) before = notebook.read('shared.md');
        const content = withWord(before, 'Program', word);
        notebook.write('shared.md', content);
        written.push(content);
        await eventually(() => notebook.versions('shared')).toContain(content);
      }
    };
    const typed = { ada: words('ada', 12), bob: words('bob', 12) };
    await Promise.all([
      typeAt(ada.page, /^Ada:/u, ` ${typed.ada.join(' ')}`, 25),
      typeAt(bob.page, /^Bob:/u, ` ${typed.bob.join(' ')}`, 25),
      asApi(),
      asProgram(),
    ]);

    await eventually(() => saveState(ada.page)).toMatch(/committed|unchanged/);
    await eventually(() => saveState(bob.page)).toMatch(/committed|unchanged/);
    await eventually(() => editorText(bob.page)).toBe(notebook.read('shared.md'));
    await eventually(() => editorText(ada.page)).toBe(notebook.read('shared.md'));
    const text = notebook.read('shared.md');
    for (const [name, list] of [
      ['Ada', typed.ada],
      ['Bob', typed.bob],
    ] as const) {
      expect(text).toContain(`${name}: ${list.join(' ')}\n`);
    }
    expect(text).toContain(`Api: ${words('api', 3).join(' ')}\n`);
    // If the program and the server write at the same moment, the program's text is kept in a copy next to the file.
    const copies = readdirSync(notebook.folder).filter((name) => name.startsWith('shared'));
    const everything = copies.map((name) => notebook.read(name)).join('\n');
    expect(words('program', 3).filter((word) => !everything.includes(word))).toEqual([]);
    await notebook.api('POST', '/events/commit', { notebook: String(notebook.id) });
    const versions = notebook.versions('shared');
    expect(written.filter((each) => !versions.includes(each))).toEqual([]);
    await bob.page.context().close();
  });

  it('decide themselves when both changed the same words, and find the other version in the history', async () => {
    const { page } = ada;
    notebook.write('clash.md', 'The colour is red.\n');
    await openNote(page, 'clash.md');
    const clash = async (mine: string, theirs: string): Promise<void> => {
      await page.route('**/api/codex/notebooks/*/files/*?*', (route) => route.abort());
      await page.locator('.note-writing .cm-content').fill(mine);
      await page.keyboard.press('Control+s');
      await eventually(() => saveState(page)).toBe('offline');
      notebook.write('clash.md', theirs);
      await page.unroute('**/api/codex/notebooks/*/files/*?*');
      await page.getByRole('heading', { name: 'This note was changed in two places' }).waitFor();
    };
    await clash('The colour is blue.', 'The colour is green.\n');
    expect(await page.getByLabel('Their version').textContent()).toContain('green');
    expect(await page.getByLabel('Your version').textContent()).toContain('blue');
    await page.emulateMedia({ colorScheme: 'dark' });
    await eventually(() => violations(page, 'dark')).toEqual([]);
    await page.emulateMedia({ colorScheme: 'light' });
    await eventually(() => violations(page, 'light')).toEqual([]);
    await page.getByRole('button', { name: 'Keep my version' }).click();
    await eventually(() => notebook.read('clash.md')).toBe('The colour is blue.');
    await eventually(() => saveState(page)).toBe('committed');

    await clash('The colour is black.', 'The colour is white.');
    await page.getByRole('button', { name: 'Use their version' }).click();
    await eventually(() => notebook.versions('clash')).toContain('The colour is black.');
    await eventually(() => notebook.read('clash.md')).toBe('The colour is white.');
    await eventually(() => editorText(page)).toBe('The colour is white.');

    await clash('The colour is grey.', 'The colour is pink.');
    await page.getByLabel('Your version').fill('The colour is pink and grey.');
    await page.getByRole('button', { name: 'Save the right side' }).click();
    await eventually(() => notebook.read('clash.md')).toBe('The colour is pink and grey.');
    await eventually(() => notebook.versions('clash')).toEqual(
      expect.arrayContaining(['red', 'green', 'blue', 'pink', 'white'].map((each) => expect.stringContaining(each))),
    );
  });
});

describe('a server that is killed while somebody types', () => {
  it('is said to be gone; the text stays and is saved when it is back, also by the next page', async () => {
    const { page } = ada;
    notebook.write('patience.md', 'Before\n');
    await openNote(page, 'patience.md');
    await typeAt(page, /^Before/u, ' one');
    await server.kill();
    await page.keyboard.type(' two three');
    await page.getByText('Reconnecting …').waitFor();
    expect(await appears(page.getByText('Offline; saved in this browser'))).toBe(true);
    await page.keyboard.type(' four');
    await server.restart();
    await eventually(() => notebook.read('patience.md')).toBe('Before one two three four\n');
    await eventually(() => saveState(page)).toBe('committed');

    await server.kill();
    await page.keyboard.type(' five');
    await page.getByText('Offline; saved in this browser').waitFor();
    const { url } = { url: page.url() };
    const next = await page.context().newPage();
    await page.close();
    notebook.write('patience.md', 'First of all\n\nBefore one two three four\n');
    await server.restart();
    await next.goto(url);
    await next.getByText('Restored unsaved changes').waitFor();
    await eventually(() => notebook.read('patience.md')).toBe('First of all\n\nBefore one two three four five\n');
    ada = { ...ada, page: next };
  });
});

describe('a note of an Obsidian vault', () => {
  it('is shown as in Obsidian, and its links and tags lead to notes', async () => {
    const { page } = ada;
    notebook.write('vault/pictures/embedded.png', Buffer.from(DOT, 'base64'));
    notebook.write('vault/deep/Target note.md', '# Found by name\n');
    notebook.write(
      'vault/obsidian.md',
      '> [!warning] Take care\n> Hot\n\n==important== %%secret%% [[Target note]] #lab/wet\n\n![[embedded.png]]\n',
    );
    await openNote(page, 'vault/obsidian.md');
    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.locator('.note-callout[data-callout="warning"]').getByText('Take care').waitFor();
    await preview.locator('.note-image img').waitFor();
    expect(await preview.locator('mark').textContent()).toBe('important');
    expect(await preview.textContent()).not.toContain('secret');
    await preview.getByRole('link', { name: 'Target note' }).click();
    await preview.getByRole('heading', { name: 'Found by name' }).waitFor();
    await openNote(page, 'vault/obsidian.md');
    await preview.getByRole('link', { name: '#lab/wet' }).click();
    await page.waitForURL(/\/search\?tag=lab/u);
  });
});

describe('a note in one column', () => {
  it('is shown formatted, except for the line of the cursor, with outline, formulas and link graph', async () => {
    const { page } = ada;
    notebook.write('live/other.md', 'Back to [[live note]].\n');
    notebook.write(
      'live/live note.md',
      '# First\n\n**bold** and [[other]] and $x^2$\n\n- [ ] task\n\n## Second\n\n$$\n\\frac{a}{b}\n$$\n',
    );
    await openNote(page, 'live/live note.md');
    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.locator('.note-math math').first().waitFor();
    expect(await preview.locator('.note-math math').count()).toBe(2);
    await page.getByRole('group', { name: 'View' }).getByRole('button', { name: 'Live' }).click();
    const text = page.getByRole('textbox', { name: 'Note text' });
    await text.getByText('bold and other and', { exact: false }).waitFor();
    expect(await text.getByRole('checkbox', { name: 'Task done' }).isChecked()).toBe(false);
    await text.getByRole('checkbox', { name: 'Task done' }).click();
    await eventually(() => readFileSync(join(notebook.folder, 'live/live note.md'), 'utf8')).toContain('- [x] task');
    await page.getByRole('button', { name: 'Outline' }).click();
    await page.getByRole('navigation', { name: 'Outline' }).getByRole('button', { name: 'Second' }).click();
    await text.locator('.cm-activeLine', { hasText: '## Second' }).waitFor();
    const details = page.getByRole('button', { name: 'Details' });
    if ((await details.getAttribute('aria-pressed')) === 'false') await details.click();
    await page.getByRole('button', { name: 'Link graph' }).click();
    await page.getByRole('dialog').getByText('other', { exact: false }).first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('group', { name: 'View' }).getByRole('button', { name: 'Both' }).click();
    await page.getByRole('link', { name: 'Graph' }).click();
    await page.getByRole('heading', { name: /^Links in / }).waitFor();
    await page.reload();
    const graph = page.getByRole('group', { name: 'Links', exact: true });
    await graph.getByText('live/other.md').first().click();
    await preview.getByText('Back to').waitFor();
  });
});

describe('somebody who uses the keyboard alone', () => {
  it('opens a note, writes, saves, ticks a task off and leaves', async () => {
    const { page } = ada;
    notebook.write('dot.png', Buffer.from(DOT, 'base64'));
    notebook.write('keys.md', RICH);
    await openNote(page, 'keys.md');
    await page.getByRole('region', { name: 'Preview' }).getByRole('heading', { name: 'Boiling points' }).waitFor();
    await page.locator('main').focus();
    for (let n = 0; n < 60; n++) {
      await page.keyboard.press('Tab');
      if (await page.evaluate(() => document.activeElement?.classList.contains('cm-content') === true)) break;
    }
    await page.keyboard.press('Control+End');
    await page.keyboard.type('- [ ] milk');
    await page.keyboard.press('Enter');
    await page.keyboard.type('bread');
    await page.keyboard.press('Control+Enter');
    await page.keyboard.press('Control+s');
    await eventually(() => notebook.read('keys.md')).toContain('- [ ] milk\n- [x] bread');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('.cm-editor') === null)).toBe(true);
    // A checkbox in the preview changes the same task in the text.
    await page.getByRole('checkbox', { name: 'milk' }).press('Space');
    await eventually(() => notebook.read('keys.md')).toContain('- [x] milk\n- [x] bread');
    await eventually(() => page.locator('.note-preview img').count()).toBe(1);
    await judgeLooks(page, 'a note');
  });
});

describe('hostile notes', () => {
  it('run nothing, load nothing from elsewhere, and bring nothing into the page but text', async () => {
    const { page } = ada;
    const elsewhere: string[] = [];
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (url.protocol.startsWith('http') && url.origin !== server.url) elsewhere.push(request.url());
    });
    await page.addInitScript(() => {
      const seen: string[] = [];
      Object.assign(window, { policyViolations: seen });
      document.addEventListener('securitypolicyviolation', (event) => {
        const where = event.target instanceof Element ? event.target.outerHTML : '';
        seen.push(`${event.violatedDirective} ${where.slice(0, 200)}`);
      });
    });
    notebook.write('hostile.md', 'start\n');
    for (const [name, text] of Object.entries(hostileFiles)) notebook.write(name, text);
    await openNote(page, 'hostile.md');
    expect(hostileNotes.length).toBeGreaterThanOrEqual(20);
    for (const [index, { name, text }] of hostileNotes.entries()) {
      const mark = `mark-${index}-`;
      await replaceText(page, text.startsWith('---') ? `${text}\n${mark}\n` : `${mark}\n\n${text}`);
      await page.getByRole('region', { name: 'Preview' }).getByText(mark).first().waitFor();
      expect(await page.evaluate(inspect), name).toEqual([]);
    }
    for (const name of Object.keys(hostileFiles)) {
      await page.goto(`${server.url}/notebooks/${notebook.id}/files/${await notebook.fileId(name)}`);
      await page.locator(name.endsWith('svg') ? 'main img' : '.note-writing .cm-content').waitFor();
      expect(await page.evaluate(() => '__ran' in window), name).toBe(false);
    }
    expect(elsewhere).toEqual([]);
    // The page's policy blocked nothing while the other tests ran.
    expect(ada.complaints.filter((text) => text.includes('Content Security Policy'))).toEqual([]);
  });
});

/** Inserts the whole text in one step, as pasting does. */
async function replaceText(page: Page, text: string): Promise<void> {
  await page.locator('.note-writing .cm-content').focus();
  await page.keyboard.press('Control+a');
  await page.locator('.note-writing .cm-content').evaluate((content, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    content.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

/** Returns the forbidden content in the preview, and the effects of such content. */
function inspect(): readonly string[] {
  const found: string[] = [];
  const preview = document.querySelector('.note-preview');
  const allowed =
    /^(?:A|ABBR|B|BLOCKQUOTE|BR|CAPTION|CITE|CODE|DD|DEL|DETAILS|DFN|DIV|DL|DT|EM|FIGCAPTION|FIGURE|H[1-6]|HR|I|IMG|INPUT|INS|KBD|LI|MARK|OL|P|PRE|Q|RP|RT|RUBY|S|SAMP|SMALL|SPAN|STRONG|SUB|SUMMARY|SUP|TABLE|TBODY|TD|TFOOT|TH|THEAD|TR|U|UL|VAR|WBR)$/;
  for (const element of preview?.querySelectorAll('*') ?? []) {
    if (!allowed.test(element.nodeName)) found.push(`element ${element.nodeName}`);
    for (const { name, value } of element.attributes) {
      if (/^(?:on|id$|name$|style$|form|srcset|srcdoc|ping|action)/.test(name)) found.push(`attribute ${name}`);
      if (name === 'href' && !/^(?:https:\/\/ok\.example\/|https?:|mailto:|#|\/notebooks\/)/.test(value))
        found.push(value);
      if (name === 'src' && !/^(?:\/api\/codex\/notebooks\/|blob:)/.test(value)) found.push(value);
    }
    if (element.nodeName === 'INPUT' && (element as HTMLInputElement).type !== 'checkbox') found.push('input');
  }
  if ('__ran' in window) found.push('a script ran');
  found.push(...(window as unknown as { policyViolations: string[] }).policyViolations.splice(0));
  return found;
}

const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

const RICH = `---
title: Boiling points
tags: [lab, water]
---

# Boiling points

It **boiled** at _99.6_ °C; see [[shared|the other note]], [the table](#figures) and <https://ok.example/>.

- [x] clean the flask

## Figures

| Liquid  |   °C |
| ------- | ---: |
| Water   |  100 |
| Ethanol | 78.4 |

\`\`\`ts
const boiling = (pressure: number): number => pressure * 0.98; // roughly
\`\`\`

> A quote, and ![a dot](dot.png)

مرحبا بالعالم، هذا نص من اليمين إلى اليسار.

`;

function withWord(text: string, name: string, word: string): string {
  return text.replace(new RegExp(`^${name}:.*$`, 'mu'), (line) => `${line} ${word}`);
}
