import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { serve, type Served } from '../../test/served.ts';
import { lastDeleted } from '../service/requests.ts';

async function create({ ask }: Served, path: string, content: string, about: object = {}): Promise<string> {
  const { status, body } = await ask('POST', '/notebooks/1/files?wait=30', { path, content, ...about });
  expect(status, JSON.stringify(body)).toBe(201);
  return `/notebooks/1/files/${String(body['file_id'])}`;
}

it('what is said about a note is written into it, and only that changes', async () => {
  const served = await serve();
  const { ask, read } = served;
  const url = await create(served, 'a.md', '---\n# mine\nstatus: open\r\n---\n\nText\r\n');
  const changed = await ask('PATCH', `${url}/properties?wait=30`, { set: { status: 'done', tags: ['x'] } });
  expect(changed).toMatchObject({
    status: 200,
    body: { file: { properties: { status: 'done', tags: ['x'] }, tags: ['x'], title: null } },
  });
  expect(read('a.md')).toBe('---\n# mine\nstatus: done\ntags:\n  - x\n---\n\nText\r\n');
  const put = await ask('PUT', `${url}?wait=30`, { title: 'Titel', properties: { only: 1 } });
  expect(put.body['file']).toMatchObject({ title: 'Titel', properties: { only: 1, title: 'Titel' } });
  expect(read('a.md')).toBe('---\n# mine\nonly: 1\ntitle: Titel\n---\n\nText\r\n');
  const gone = await ask('PATCH', `${url}/properties?wait=30`, { unset: ['only', 'title', 'absent'] });
  expect(gone.body['file']).toMatchObject({ title: null, properties: {} });
  const both = await ask('PUT', `${url}?wait=30`, { content: '# New\n', description: 'D' });
  expect(both.body['file']).toMatchObject({ title: 'New', description: 'D' });
  expect(read('a.md')).toBe('---\ndescription: D\n---\n# New\n');
  await create(served, 'long.md', 'x'.repeat(10_000), { title: 'Long' });
  expect(read('long.md')).toBe(`---\ntitle: Long\n---\n${'x'.repeat(10_000)}`);
});

it('is refused for another version, and for a note whose properties cannot be read', async () => {
  const served = await serve();
  const { ask, read } = served;
  const url = await create(served, 'a.md', 'one');
  const { headers } = await ask('GET', url);
  const match = { 'if-match': headers.get('etag') ?? '' };
  expect(await ask('PATCH', `${url}/properties?wait=30`, { set: { a: 1 } }, match)).toMatchObject({ status: 200 });
  expect(await ask('PATCH', `${url}/properties?wait=30`, { set: { a: 2 } }, match)).toMatchObject({ status: 412 });
  const broken = await create(served, 'b.md', '---\na: [\n---\nText');
  const refused = await ask('PATCH', `${broken}/properties?wait=30`, { set: { a: 1 } });
  expect(refused).toMatchObject({ status: 409, body: { code: 'PROPERTIES_INVALID' } });
  expect(read('b.md')).toBe('---\na: [\n---\nText');
  expect((await ask('PATCH', `${url}/properties`, {})).status).toBe(422);
});

it('edits what lies on disk, also when somebody else has just changed it', async () => {
  const served = await serve();
  const url = await create(served, 'a.md', 'one');
  writeFileSync(join(served.notebook.path, 'a.md'), 'theirs');
  await served.ask('PATCH', `${url}/properties?wait=30`, { set: { a: 1 } });
  expect(served.tree()).toEqual({ 'a.md': '---\na: 1\n---\ntheirs' });
});

it('several changes that wait at once all come to be', async () => {
  const served = await serve();
  const url = await create(served, 'a.md', 'one');
  const changes = Array.from({ length: 12 }, (_, n) =>
    served.ask('PATCH', `${url}/properties?wait=30`, { set: { [`k${n}`]: n } }),
  );
  await Promise.all(changes);
  const { body } = await served.ask('GET', url);
  expect(Object.keys(body['properties'] as object)).toHaveLength(12);
});

it('a file that cannot say it itself has it said by the file beside it, which goes along', async () => {
  const served = await serve();
  const { ask, tree } = served;
  const url = await create(served, 'p/photo.png', 'PNG', { title: 'Sunset', properties: { tags: ['sea'] } });
  expect((await ask('GET', url)).body).toMatchObject({ title: 'Sunset', tags: ['sea'] });
  await ask('PATCH', `${url}/properties?wait=30`, { set: { place: 'Brest' } });
  expect(tree()['p/.photo.png.yaml']).toBe('tags:\n  - sea\ntitle: Sunset\nplace: Brest\n');
  const find = async (q: string): Promise<unknown> => {
    const { body } = await ask('GET', `/notebooks/1/search?query=${encodeURIComponent(q)}`);
    return (body['data'] as { file: { path: string } }[]).map(({ file }) => file.path);
  };
  expect(await find('brest')).toEqual(['p/photo.png']);
  expect(await find('tag:sea')).toEqual(['p/photo.png']);
  await ask('PATCH', `${url}/move?wait=30`, { dest_path: 'q/sunset.png' });
  expect(Object.keys(tree())).toEqual(['q/.sunset.png.yaml', 'q/sunset.png']);
  expect((await ask('GET', url)).body).toMatchObject({ path: 'q/sunset.png', title: 'Sunset' });
  writeFileSync(join(served.notebook.path, 'q/.sunset.png.yaml'), 'title: By hand\n');
  await served.codex.reconcile(served.notebook, 30_000);
  expect((await ask('GET', url)).body).toMatchObject({ title: 'By hand', tags: [] });
  rmSync(join(served.notebook.path, 'q/.sunset.png.yaml'));
  await served.codex.reconcile(served.notebook, 30_000);
  expect((await ask('GET', url)).body).toMatchObject({ title: null, properties: {} });
  await ask('PUT', `${url}?wait=30`, { title: 'Again' });
  const { body } = await ask('DELETE', `${url}?wait=30`);
  expect(tree()).toEqual({});
  const eventId = Number(body['event_id']);
  expect(lastDeleted(served.codex.store.reader, 1)).toMatchObject({ event_id: eventId });
  expect(await ask('POST', `/notebooks/1/trash/${eventId}/restore?wait=30`)).toMatchObject({ status: 200 });
  expect((await ask('GET', url)).body).toMatchObject({ path: 'q/sunset.png', title: 'Again' });
  const { body: again } = await ask('DELETE', `${url}?wait=30`);
  await ask('POST', `/notebooks/1/trash/${String(again['event_id'])}/restore?wait=30&path=r/dusk.png`);
  expect((await ask('GET', url)).body).toMatchObject({ path: 'r/dusk.png', title: 'Again' });
  expect((await ask('GET', '/notebooks/1/trash')).body).toEqual({ data: [], next_cursor: null });
});
