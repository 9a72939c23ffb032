import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { serve } from '../../test/served.ts';

const FRIDAY = new Date(2026, 0, 30, 9, 5).getTime();

describe('notes that begin as something', () => {
  it('come from templates, and the note of a day is made once', async () => {
    const { ask, tree } = await serve({ clock: () => FRIDAY });
    const create = (path: string, content: string): Promise<unknown> =>
      ask('POST', '/notebooks/1/files?wait=30', { path, content });
    await create('templates/meeting.md', '# {{title}}\n{{date}} {{time}}, {{author}}\n');
    await create('templates/daily.md', '# {{date:DD.MM.YYYY}}\n');
    await create('templates/picture.png', 'no text');
    expect((await ask('GET', '/notebooks/1/templates')).body).toEqual({
      data: [
        { path: 'templates/daily.md', name: 'daily' },
        { path: 'templates/meeting.md', name: 'meeting' },
      ],
      next_cursor: null,
    });
    const note = await ask('POST', '/notebooks/1/notes', { template: 'meeting', title: 'Plan: B/C' });
    expect(note).toMatchObject({ status: 201, body: { path: 'Plan B C.md' } });
    const again = await ask('POST', '/notebooks/1/notes', { template: 'templates/meeting.md', title: 'Plan: B/C' });
    expect(again).toMatchObject({ status: 201, body: { path: 'Plan B C-1.md' } });
    expect(await ask('POST', '/notebooks/1/notes', { path: 'deep/er' })).toMatchObject({
      body: { path: 'deep/er.md' },
    });
    expect(await ask('POST', '/notebooks/1/notes', { path: 'deep/er.md' })).toMatchObject({
      status: 409,
      body: { code: 'FILE_EXISTS' },
    });
    expect(await ask('POST', '/notebooks/1/notes', { template: 'none' })).toMatchObject({ status: 404 });
    expect(await ask('POST', '/notebooks/1/notes', { path: '../x' })).toMatchObject({ body: { code: 'PATH_INVALID' } });

    // Several requests for the same day arrive at the same time. One of them creates the note.
    const days = await Promise.all(
      Array.from({ length: 5 }, (_, turn) => ask('POST', '/notebooks/1/daily', turn === 0 ? undefined : {})),
    );
    expect(days.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(new Set(days.map(({ body }) => body['id'])).size).toBe(1);
    const other = await ask('POST', '/notebooks/1/daily', { date: '2024-02-29' });
    expect(other).toMatchObject({ status: 201, body: { path: 'daily/2024-02-29.md' } });
    expect((await ask('POST', '/notebooks/1/daily', { date: '2023-02-29' })).status).toBe(400);
    expect(tree()).toMatchObject({
      'Plan B C.md': '# Plan: B/C\n2026-01-30 09:05, ada\n',
      'daily/2026-01-30.md': '# 30.01.2026\n',
      'daily/2024-02-29.md': '# 29.02.2024\n',
      'deep/er.md': '# er\n\n',
    });
  });
});

it('finds templates that another program has just created', async () => {
  const { ask, tree, notebook } = await serve({ clock: () => FRIDAY });
  mkdirSync(join(notebook.path, 'templates'));
  writeFileSync(join(notebook.path, 'templates/daily.md'), '# {{date:DD.MM.YYYY}}\n');
  expect(await ask('POST', '/notebooks/1/daily', {})).toMatchObject({ status: 201 });
  expect(tree()['daily/2026-01-30.md']).toBe('# 30.01.2026\n');
});

describe('an Obsidian vault', () => {
  it('keeps its own places for daily notes, templates and attachments', async () => {
    const { ask, raw, tree, notebook } = await serve({ clock: () => FRIDAY });
    const put = (path: string, text: string): void => {
      mkdirSync(dirname(join(notebook.path, path)), { recursive: true });
      writeFileSync(join(notebook.path, path), text);
    };
    put(
      '.obsidian/daily-notes.json',
      '{"folder":"Journal","format":"YYYY/MM-MMMM/YYYY-MM-DD dddd","template":"T/Day"}',
    );
    put('.obsidian/templates.json', '{"folder":"T","dateFormat":"D MMM","timeFormat":5}');
    put('.obsidian/app.json', '{"attachmentFolderPath":"./files"}');
    put('T/Day.md', '{{date}}, {{time}}');
    await ask('POST', '/notebooks/1/reconcile');
    const before = tree();
    expect((await ask('GET', '/notebooks/1/templates')).body['data']).toEqual([{ path: 'T/Day.md', name: 'Day' }]);
    const day = await ask('POST', '/notebooks/1/daily');
    expect(day).toMatchObject({ status: 201, body: { path: 'Journal/2026/01-January/2026-01-30 Friday.md' } });
    const attached = async (note: string): Promise<string> => {
      const answer = await raw('POST', `/notebooks/1/attachments?name=a.csv&note=${note}`, {
        body: Buffer.from('a,b\n'),
        headers: { 'content-type': 'text/csv' },
      });
      return ((await answer.json()) as { file: { path: string } }).file.path;
    };
    expect(await attached('deep/note.md')).toMatch(/^deep\/files\/a-[0-9a-f]{8}\.csv$/u);
    put('.obsidian/app.json', '{"attachmentFolderPath":"/"}');
    expect(await attached('deep/note.md')).toMatch(/^deep\/files\//u);
    put('.obsidian/app.json', '{"attachmentFolderPath":"../out"}');
    put('.obsidian/daily-notes.json', 'broken');
    expect(await attached('note.md')).toMatch(/^attachments\//u);
    expect((await ask('POST', '/notebooks/1/daily')).body['path']).toBe('daily/2026-01-30.md');
    expect(tree()).toMatchObject({
      ...before,
      '.obsidian/app.json': '{"attachmentFolderPath":"../out"}',
      '.obsidian/daily-notes.json': 'broken',
      'Journal/2026/01-January/2026-01-30 Friday.md': '30 Jan, 09:05',
    });
  });
});

describe('what happened to a notebook', () => {
  it('is shown in pages, commit by commit, and as figures', async () => {
    const { ask } = await serve();
    const shas: unknown[] = [];
    for (const content of ['one\n', 'two\n', 'three\n']) {
      await ask('POST', '/notebooks/1/files?wait=30', { path: `${content.trim()}.md`, content });
      shas.unshift((await ask('POST', '/events/commit', { notebook: '1' })).body['commit_sha']);
    }
    const first = await ask('GET', '/notebooks/1/history?limit=2');
    expect(first.body).toMatchObject({ data: [{ sha: shas[0] }, { sha: shas[1] }], next_cursor: shas[1] });
    const rest = await ask('GET', `/notebooks/1/history?limit=2&cursor=${String(first.body['next_cursor'])}`);
    expect(rest.body).toMatchObject({ data: [{ sha: shas[2], author: 'ada' }], next_cursor: null });
    const commit = await ask('GET', `/notebooks/1/commits/${String(shas[1])}`);
    expect(commit.body).toMatchObject({ parent: shas[2], files: [{ path: 'two.md', change: 'added', is_cut: false }] });
    expect((await ask('GET', '/notebooks/1/commits/ffffffffff')).status).toBe(404);
    expect((await ask('GET', '/notebooks/1/commits/--all')).status).toBe(404);
    const { body } = await ask('GET', '/events/metrics/history?minutes=5');
    const columns = body as Record<string, number[]>;
    expect(Object.values(columns).map(({ length }) => length)).toEqual([30, 30, 30, 30, 30]);
    expect(columns['throughput_per_minute']?.reduce((sum, value) => sum + value, 0)).toBe(36);
    // Each request was awaited before the next was sent, so at most one is ever pending.
    const pending = columns['pending']?.filter((value) => value !== null) ?? [];
    expect(pending).not.toEqual([]);
    expect(Math.max(...pending)).toBeLessThanOrEqual(1);
    expect((await ask('GET', '/events/metrics/history?minutes=0')).status).toBe(422);
  });
});
