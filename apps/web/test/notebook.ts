import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { Page } from 'playwright-core';

import { eventually } from './browser.ts';
import type { TestServer } from './server.ts';

interface Answer {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- any JSON from the network
  readonly body: any;
}

/** A notebook on a running server, which tests change through the API, as another program would, and with git. */
export interface TestNotebook {
  readonly folder: string;
  readonly id: number;
  /** Sends a request over a separate connection, as another program would. */
  api(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Replaces the file atomically, as an editor does. */
  write(path: string, text: string | Uint8Array): void;
  read(path: string): string;
  /** Returns the id of a file as soon as the server has indexed it. */
  fileId(path: string): Promise<string>;
  /** Returns every committed content of files whose path starts with `stem`. */
  versions(stem: string): readonly string[];
}

/** Uses the account that is signed in to the page. */
export async function addNotebook(server: TestServer, page: Page, name: string): Promise<TestNotebook> {
  const folder = join(server.project, name);
  mkdirSync(folder);
  const send = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const response = await page.context().request.fetch(`${server.url}/api/codex${path}`, {
      method,
      headers: { origin: server.url },
      ...(body === undefined ? {} : { data: body }),
    });
    return { status: response.status(), body: await response.json().catch(() => undefined) };
  };
  const made = await send('POST', '/notebooks', { name, path: folder });
  const id = made.body.id as number;
  const git = (...args: readonly string[]): string => execFileSync('git', args, { cwd: folder, encoding: 'utf8' });
  return {
    folder,
    id,
    api: send,
    write(path, text) {
      const target = join(folder, path);
      mkdirSync(dirname(target), { recursive: true });
      const temporary = join(server.project, `.writing-${Math.random()}`);
      writeFileSync(temporary, text);
      renameSync(temporary, target);
    },
    read: (path) => readFileSync(join(folder, path), 'utf8'),
    async fileId(path) {
      const find = async (): Promise<string | undefined> =>
        (await send('GET', `/notebooks/${id}/files?path=${encodeURIComponent(path)}`)).body?.data?.[0]?.id;
      await eventually(find).toBeTruthy();
      return (await find()) ?? '';
    },
    versions(stem) {
      const objects = git('rev-list', '--objects', 'HEAD').trim().split('\n');
      const ids = objects.filter((line) => line.slice(41).startsWith(stem)).map((line) => line.slice(0, 40));
      return ids.map((object) => git('cat-file', 'blob', object));
    },
  };
}

/** Returns the text of the editor. Works for notes that are short enough to be rendered completely. */
export async function editorText(page: Page): Promise<string> {
  return (await page.locator('.note-writing .cm-line').allTextContents()).join('\n');
}
