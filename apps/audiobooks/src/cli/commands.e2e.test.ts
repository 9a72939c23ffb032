import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sound } from '../../test/fixtures.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';

const holdfast = resolve(import.meta.dirname, '../../../../dist/bin/holdfast');

interface Row {
  readonly id: string;
  readonly title: string;
}

class TestHome {
  readonly home: string;
  readonly library: string;

  constructor() {
    const base = temporaryFolder();
    this.home = join(base, 'home');
    this.library = join(base, 'library');
    mkdirSync(this.home, { mode: 0o700 });
    this.add('Jane Austen/Emma', 'Emma', 'Jane Austen', 3);
    this.add('Frank Herbert/Dune Saga/1 - Dune', 'Dune', 'Frank Herbert', 1);
    this.add('Frank Herbert/Dune Saga/3 - Children of Dune', 'Children of Dune', 'Frank Herbert', 1);
  }

  add(folder: string, album: string, artist: string, files: number): void {
    mkdirSync(join(this.library, folder), { recursive: true });
    for (let track = 1; track <= files; track++) {
      const from = sound('mp3', {
        seconds: 2,
        frequency: 200 + 50 * track,
        tags: { album, artist, track: String(track) },
      });
      copyFileSync(from, join(this.library, folder, `0${track}.mp3`));
    }
  }

  run(...args: string[]) {
    const { status, stdout, stderr } = spawnSync(holdfast, args, {
      env: { ...process.env, HOLDFAST_HOME: this.home, NO_COLOR: '1', USER: 'ada' },
      encoding: 'utf8',
      timeout: 90_000,
    });
    return { code: status, stdout, stderr };
  }

  data<T>(...args: string[]): T {
    const { code, stdout, stderr } = this.run('audiobooks', ...args, '--json');
    if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`);
    return (JSON.parse(stdout) as { data: T }).data;
  }
}

describe('holdfast audiobooks', () => {
  it('goes from folders to a library, and every listing has the promised shape', () => {
    const place = new TestHome();
    const scanned = { type: 'scan', status: 'completed' };
    expect(place.data('scan', place.library)).toMatchObject([
      { ...scanned, summary: expect.stringContaining('3 books') as string },
    ]);
    expect(place.data('scan')).toMatchObject([
      { ...scanned, summary: expect.stringContaining('nothing changed') as string },
    ]);
    for (const overlapping of ['Jane Austen', '..'])
      expect(place.run('audiobooks', 'scan', join(place.library, overlapping))).toMatchObject({
        code: 4,
        stderr: expect.stringContaining('LIBRARY_OVERLAPS') as string,
      });
    const rows = place.data<readonly Row[]>('list');
    expect(rows.map(({ title }) => title)).toEqual(['Children of Dune', 'Dune', 'Emma']);
    expect(rows[1]).toMatchObject({
      id: expect.any(String) as string,
      title: 'Dune',
      authors: [{ name: 'Frank Herbert' }],
      narrators: [],
      series: [{ name: 'Dune Saga', sequence: '1' }],
      duration_ms: expect.any(Number) as number,
      files: 1,
      progress: null,
    });
    expect(place.data('list', '--author', 'frank herbert')).toHaveLength(2);
    expect(place.data('list', '--author', 'frank herbert', '--genre', 'y')).toEqual([]);
    expect(place.data('list', '--limit', '1')).toHaveLength(1);
    expect(place.data('groups', 'author')).toMatchObject([
      { name: 'Jane Austen' },
      { name: 'Frank Herbert', books: 2 },
    ]);
    expect(place.data('series', 'show', 'Dune Saga')).toMatchObject({ gaps: ['2'] });
    expect(place.data('search', 'author:herbert', 'child')).toMatchObject([{ title: 'Children of Dune' }]);
    expect(place.run('audiobooks', 'list').stdout).toContain('Emma');
    expect(place.run('keys', 'audiobooks', 'b:', '--json').stdout).toContain('"title":"Emma"');
    expect(place.run('verify', 'audiobooks').code).toBe(0);
    expect(place.run('audiobooks', 'verify').code).toBe(0);
    // A library can be removed while its folder is missing. Scanning the folder later restores the library.
    renameSync(place.library, `${place.library}.away`);
    expect(place.run('audiobooks', 'library', 'remove', place.library).code).toBe(2);
    expect(place.data('library', 'list')).toMatchObject([{ name: 'library', root: place.library, books: 3 }]);
    expect(place.data('library', 'remove', 'library', '--yes')).toMatchObject({ books: 3 });
    expect([place.data('library', 'list'), place.data('list')]).toEqual([[], []]);
    renameSync(`${place.library}.away`, place.library);
    place.data('scan', place.library);
    expect(place.data<readonly Row[]>('list').map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
  });

  it('shows what organising would do, does it, and takes it back', () => {
    const place = new TestHome();
    place.data('scan', place.library);
    const template = '{author}/{title}';
    const plan = place.data<{ moves: readonly unknown[] }>('organise', 'preview', '--template', template);
    expect(plan.moves).toHaveLength(2);
    expect(existsSync(join(place.library, 'Frank Herbert/Dune'))).toBe(false);
    const { id: operation } = place.data<Row>('organise', 'run', '--template', template);
    expect(existsSync(join(place.library, 'Frank Herbert/Dune/01.mp3'))).toBe(true);
    place.data('undo', operation);
    expect(existsSync(join(place.library, 'Frank Herbert/Dune Saga/1 - Dune/01.mp3'))).toBe(true);
    expect(place.run('audiobooks', 'undo', operation)).toMatchObject({ code: 4 });
    expect(place.data('ops', 'list')).toMatchObject([
      { type: 'undo' },
      { type: 'organize', can_undo: false },
      { type: 'scan' },
    ]);
  });

  it('merges, tags and transcodes, and the book stays the same book', () => {
    const place = new TestHome();
    place.data('scan', place.library);
    const { id } = place.data<Row>('show', 'Emma');
    const { id: operation } = place.data<Row>('merge', 'run', 'Emma');
    expect(existsSync(join(place.library, 'Jane Austen/Emma/Emma.m4b'))).toBe(true);
    expect(place.data('show', id)).toMatchObject({ files: 1, generation: 2, segments: [{ format: 'm4b' }] });
    place.data('edit', id, '--year', '1815', '--narrator', 'Rita Reader');
    expect(place.data('tag', 'preview', id)).toMatchObject({ files: 1 });
    expect(place.data('tag', 'run', id)).toMatchObject({
      type: 'tag',
      summary: 'Wrote tags into 1 file',
      can_undo: true,
    });
    place.data('scan');
    expect(place.data('show', id)).toMatchObject({ id, year: 1815, locks: ['narrators', 'year'] });
    place.data('transcode', id, '--format', 'mp3');
    expect(place.data('show', id)).toMatchObject({ segments: [{ format: 'mp3' }] });
    expect(place.run('audiobooks', 'undo', operation)).toMatchObject({ code: 4 });
    expect(place.run('audiobooks', 'verify').code).toBe(0);
  });

  it('exports everything and takes it in elsewhere; takes metadata out of a file', () => {
    const place = new TestHome();
    place.data('scan', place.library);
    const file = join(place.home, '..', 'library.jsonl');
    writeFileSync(file, place.run('audiobooks', 'export').stdout);
    const other = new TestHome();
    other.data('import', file);
    expect(other.data('list')).toEqual(place.data('list'));
    const dump = join(place.home, '..', 'dump.jsonl');
    writeFileSync(dump, `${JSON.stringify({ title: 'emma', author: 'Jane Austen', year: 1815 })}\n`);
    expect(place.data('import', dump)).toMatchObject({ summary: '1 line, 1 matched, 1 changed' });
    expect(place.data('show', 'Emma')).toMatchObject({ year: 1815 });
  });

  it('makes playlists, fills them and brings them in order', () => {
    const place = new TestHome();
    place.data('scan', place.library);
    const refused = place.run('audiobooks', 'playlist', 'create', 'Road');
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('USER_REQUIRED') as string });
    const { id } = place.data<Row>('playlist', 'create', ' Road ', '--user', 'u1');
    expect(place.data('playlist', 'add', 'road', 'Emma', 'Dune', '--user', 'u1')).toMatchObject({
      items: [{ title: 'Emma', position: 1_024 }, { title: 'Dune' }],
    });
    place.data('playlist', 'add', id, 'Children of Dune', 'emma', '--before', 'Emma');
    place.data('playlist', 'move', id, 'Dune', '--before', 'Emma');
    const titles = (): readonly string[] =>
      place
        .data<{ items: { data: readonly { book: Row }[] } }>('playlist', 'show', id)
        .items.data.map(({ book }) => book.title);
    expect(titles()).toEqual(['Children of Dune', 'Dune', 'Emma']);
    place.data('playlist', 'move', id, 'Children of Dune');
    expect(titles()).toEqual(['Dune', 'Emma', 'Children of Dune']);
    expect(place.data('playlist', 'remove', id, 'Dune', 'Emma')).toMatchObject({
      name: 'Road',
      items: [{ title: 'Dune' }, { title: 'Emma' }],
    });
    expect(place.run('audiobooks', 'playlist', 'remove', id, 'Emma')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('PLAYLIST_ITEM_NOT_FOUND') as string,
    });
    expect(place.data('playlist', 'edit', id, '--name', 'Home')).toMatchObject({ id, name: 'Home' });
    const austen = '{"all":[{"field":"author","op":"is","value":"Jane Austen"}]}';
    place.data('playlist', 'create', 'Arrakis', '--shared', '--query', austen);
    place.data('playlist', 'edit', 'Arrakis', '--query', austen.replace('Jane Austen', 'Frank Herbert'));
    expect(place.data('playlist', 'show', 'Arrakis')).toMatchObject({ items: { data: [{}, {}] } });
    expect(place.run('audiobooks', 'playlist', 'edit', 'Arrakis', '--query', '{"all":1}')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('query.all') as string,
    });
    place.data('playlist', 'delete', id);
    expect(place.data('playlist', 'list', '--user', 'u1')).toMatchObject([{ name: 'Arrakis' }]);
  });

  it('keeps the key of encrypted fields outside of the database', () => {
    const place = new TestHome();
    place.data('scan', place.library);
    place.data('edit', 'Emma', '--description', 'A secret about Emma');
    const { key_file: key } = place.data<{ key_file: string }>('encrypt', 'description');
    expect(place.data('show', 'Emma')).toMatchObject({ description: 'A secret about Emma' });
    expect(place.run('keys', 'audiobooks', 'b:').stdout).not.toContain('secret');
    expect(readFileSync(key, 'utf8')).toMatch(/^[0-9a-f]{64}\n$/u);
    renameSync(key, `${key}.away`);
    expect(place.run('audiobooks', 'list')).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('ENCRYPTION_KEY_MISSING') as string,
    });
  });

  it('finds metadata with a program, takes fields of it, and undoes that', () => {
    const place = new TestHome();
    place.data('scan', place.library);
    expect(place.run('audiobooks', 'match', 'search', 'Emma')).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('provider enable NAME') as string,
    });
    const program = join(place.home, 'find-book');
    const answer = {
      books: [{ id: '1', title: 'Emma', year: 1815 }],
      chapters: [{ title: 'Volume One', start_ms: 0 }],
    };
    writeFileSync(program, `#!/bin/sh\necho '${JSON.stringify(answer)}'\n`, { mode: 0o755 });
    expect(place.data('provider', 'command', program)).toEqual({ command: [program], hosts: [] });
    expect(place.data('match', 'search', 'Emma')).toMatchObject({
      matches: [{ id: 'command:1', confidence: 99, changes: [{ field: 'year', before: null, after: 1815 }] }],
    });
    expect(place.run('audiobooks', 'match', 'search', 'Emma').stdout).toContain('year: (empty) → 1815');
    const set = (...chapters: string[]) =>
      place.data<{ chapters: readonly unknown[] }>('chapters', 'set', 'Emma', ...chapters);
    expect(set('--chapter', '0:00 One', '--chapter', '0:02 Two').chapters).toHaveLength(2);
    // Without edited chapters, each of the three files is one chapter again.
    expect(set().chapters).toHaveLength(3);
    expect(place.data('chapters', 'find', 'Emma')).toMatchObject({ data: [{ title: 'Volume One', start_ms: 0 }] });
    const { operation_id: id } = place.data<{ operation_id: string }>('match', 'apply', 'Emma', 'command:1');
    expect(place.data('show', 'Emma')).toMatchObject({ year: 1815, locks: ['year'] });
    place.data('undo', id);
    expect(place.data('show', 'Emma')).toMatchObject({ year: null, locks: [] });
  });

  it('shows what a pattern would correct, corrects it, and takes it back', () => {
    const place = new TestHome();
    place.add('incoming/Ursula K. Le Guin/Earthsea 1 - A Wizard of Earthsea (1968)', 'Wizard', 'Le Guin', 1);
    place.data('scan', place.library);
    const pattern = ['{author}/{series} {sequence} - {title} ({year})', '--under', 'incoming'];
    const preview = place.run('audiobooks', 'correct', 'preview', ...pattern);
    expect(preview.stdout).toContain('title: Wizard → A Wizard of Earthsea');
    expect(preview.stdout).toContain('1 book would change');
    const { stdout } = place.run('audiobooks', 'correct', 'run', ...pattern);
    expect(stdout).toMatch(/^Changed 1 book\. Undo: holdfast audiobooks undo \w{26}$/mu);
    const titles = () => place.data<readonly Row[]>('list').map(({ title }) => title);
    expect(titles()).toContain('A Wizard of Earthsea');
    expect(place.run('audiobooks', 'undo', stdout.trim().slice(-26)).code).toBe(0);
    expect(titles()).toContain('Wizard');
  });

  it('lists and saves e-books, and overwrites nothing', () => {
    const place = new TestHome();
    writeFileSync(join(place.library, 'Jane Austen/Emma/Emma.epub'), 'the text of Emma');
    place.data('scan', place.library);
    expect(place.data('ebook', 'list', 'Emma')).toMatchObject({
      data: [{ name: 'Emma.epub', format: 'epub', size_bytes: 16 }],
    });
    const target = join(place.home, 'copy.epub');
    place.data('ebook', 'save', 'Emma', 'Emma.epub', target);
    expect(readFileSync(target, 'utf8')).toBe('the text of Emma');
    expect(place.run('audiobooks', 'ebook', 'save', 'Emma', 'Emma.epub', target).code).toBe(1);
    expect(place.run('audiobooks', 'ebook', 'save', 'Emma', '01.mp3', join(place.home, 'x')).code).toBe(3);
  });

  it('answers mistakes with a code, a hint and an exit code', () => {
    const place = new TestHome();
    expect(place.data('stats', 'users')).toEqual([]);
    expect(place.data('stats', 'rebuild')).toEqual({ users: 0, events: 0, corrected: 0 });
    expect(place.data('stats', 'prune')).toEqual({ users: 0, removed: 0 });
    expect([place.data('progress', 'list'), place.data('playlist', 'list')]).toEqual([[], []]);
    expect(place.run('audiobooks', 'stats', 'show', '--user', 'x', '--from', 'then').code).toBe(2);
    expect(place.run('audiobooks', 'show', 'nothing')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('BOOK_NOT_FOUND') as string,
    });
    expect(place.run('audiobooks', 'scan', '/no/such/folder').code).toBe(3);
    expect(place.run('audiobooks', 'edit', 'x', '--year', '1').code).toBe(3);
    expect(place.run('audiobooks', 'stats', 'year', 'then').code).toBe(2);
    expect(place.run('audiobooks', 'organise', 'preview').code).toBe(3);
  });
});
