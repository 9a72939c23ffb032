import { restoreToRevision } from '@holdfast/sqlite';
import { expect, it } from 'vitest';

import { type Harness, openHarness, openSecond } from '../../test/harness.ts';
import { noteProblems } from '../../test/note-dump.ts';
import { notebookPath } from '../model/path.ts';
import type { Codex } from './codex.ts';
import { search } from './search.ts';

const find = (codex: Codex, text: string): string[] =>
  search(codex.store.reader, [1], { query: text, tags: [], properties: [], limit: 50 }).data.map(
    ({ file }) => file.path,
  );

const problems = ({ codex }: Harness): readonly string[] => noteProblems(codex.store.reader, 1);

it('what was there before the index is indexed when a server starts, and what was said in the database stays', async () => {
  const { codex, create } = await openHarness();
  await create('a.md', 'Some text #tag');
  await create('b.md', '# Title\nmore text');
  const tables = ['note_index', 'note_text', 'note_tags', 'note_properties', 'note_links'];
  await codex.store.derive((tx) => tables.forEach((table) => tx.run(`DELETE FROM ${table}`)));
  await codex.store.write('as before', (tx) => tx.run(`UPDATE files SET title = 'Old', properties = '{"k":"v"}'`));
  expect(find(codex, 'text')).toEqual([]);
  const second = await openSecond(codex);
  await second.notes.catchUp(second.notebooks()[0]!);
  expect(find(second, 'text').toSorted()).toEqual(['a.md', 'b.md']);
  expect(find(second, 'title:old')).toEqual(['a.md']);
  expect(find(second, 'title:title k:v')).toEqual(['b.md']);
  expect(await second.notes.catchUp(second.notebooks()[0]!)).toEqual({ files: 2, indexed: 0 });
});

it('follows a database that went back in time', async () => {
  const harness = await openHarness();
  const { codex, create } = harness;
  await create('a.md', 'first text');
  const { database } = codex.store;
  const then = database.revision();
  await create('b.md', 'second text');
  await restoreToRevision(database, then);
  expect(find(codex, 'text')).toEqual(['a.md']);
  await codex.notes.catchUp(harness.notebook);
  expect(problems(harness)).toEqual([]);
});

it('reads a file again that became one of another kind, and forgets a notebook with its texts', async () => {
  const harness = await openHarness();
  const { codex, create, run, notebook } = harness;
  await create('a.txt', '---\ntitle: Inside\n---\ntext #tag');
  expect(find(codex, 'tag:tag')).toEqual([]);
  await run({ type: 'move', file: { path: notebookPath('a.txt') }, dest_path: notebookPath('a.md') });
  await codex.notes.catchUp(notebook);
  expect(find(codex, 'tag:tag title:inside')).toEqual(['a.md']);
  expect(codex.store.reader.get('SELECT title, content_type FROM files')).toEqual({
    title: 'Inside',
    content_type: 'text/markdown',
  });
  const { removeNotebook } = await import('./notebooks.ts');
  await removeNotebook(codex, { notebook: String(notebook.id) });
  expect(codex.store.reader.get('SELECT count(*) AS n FROM note_index')).toEqual({ n: 0 });
});
