import { describe, expect, it } from 'vitest';

import { serve, type Served } from '../../test/served.ts';

interface Linked {
  readonly outgoing: { target: string; line: number; file: { path: string } | null }[];
  readonly incoming: { file: { path: string; title: string | null }; line: number; context: string }[];
}

async function create({ ask }: Served, files: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  const ids: Record<string, string> = {};
  for (const [path, content] of Object.entries(files)) {
    ids[path] = String((await ask('POST', '/notebooks/1/files?wait=30', { path, content })).body['file_id']);
  }
  return ids;
}

async function links({ ask }: Served, id: string | undefined): Promise<Linked> {
  return (await ask('GET', `/notebooks/1/files/${id ?? ''}/links`)).body as unknown as Linked;
}

describe('links between notes', () => {
  it('lead both ways, and follow what comes, moves and goes without anybody telling them', async () => {
    const served = await serve();
    const { ask } = served;
    const ids = await create(served, {
      'index.md': '---\ntitle: Start\n---\n\nSee [[Plan]] and [[missing note|that]].\n\n![](img/p.png) `[[code]]`\n',
      'work/plan.md': '# The plan\n\nBack to [start](../index.md#top) and [[gone/plan]].',
      'img/p.png': 'x',
    });
    const index = await links(served, ids['index.md']);
    expect(index.outgoing).toMatchObject([
      { target: 'Plan', line: 5, file: { path: 'work/plan.md' } },
      { target: 'missing note', line: 5, file: null },
      { target: 'img/p.png', line: 7, file: { path: 'img/p.png' } },
    ]);
    expect(index.incoming).toEqual([
      {
        file: { id: ids['work/plan.md'], path: 'work/plan.md', title: 'The plan' },
        line: 3,
        context: 'Back to [start](../index.md#top) and [[gone/plan]].',
      },
    ]);
    expect((await links(served, ids['img/p.png'])).incoming).toMatchObject([{ file: { title: 'Start' }, line: 7 }]);
    const { body: graph } = await ask('GET', '/notebooks/1/link-graph');
    expect(graph).toMatchObject({
      files: [{ path: 'index.md', title: 'Start' }, { path: 'work/plan.md' }, { path: 'img/p.png' }],
      links: expect.arrayContaining([
        { from: ids['index.md'], to: ids['work/plan.md'] },
        { from: ids['index.md'], to: ids['img/p.png'] },
        { from: ids['work/plan.md'], to: ids['index.md'] },
      ]),
      linked_files: 3,
    });
    expect(graph['links']).toHaveLength(3);
    const unresolved = async (): Promise<unknown> => (await ask('GET', '/notebooks/1/unresolved')).body['data'];
    expect(await unresolved()).toEqual([
      { target: 'missing note', from: [{ id: ids['index.md'], path: 'index.md', line: 5 }] },
      { target: 'gone/plan', from: [{ id: ids['work/plan.md'], path: 'work/plan.md', line: 3 }] },
    ]);
    const resolved = async (query: string): Promise<unknown> =>
      (await ask('GET', `/notebooks/1/resolve-link?from=index.md&${query}`)).body['file'];
    expect(await resolved('target=plan')).toMatchObject({ path: 'work/plan.md', content_type: 'text/markdown' });
    expect(await resolved('target=/img/p.png&kind=markdown')).toMatchObject({ path: 'img/p.png' });
    expect(await resolved('target=nowhere')).toBeNull();
    const paged = await ask('GET', '/notebooks/1/unresolved?limit=1');
    expect(paged.body['data']).toHaveLength(1);
    const next = await ask('GET', `/notebooks/1/unresolved?limit=1&cursor=${String(paged.body['next_cursor'])}`);
    expect(next.body).toMatchObject({ data: [{ target: 'gone/plan' }] });

    const made = await create(served, { 'deep/Missing Note.md': 'here' });
    expect((await links(served, made['deep/Missing Note.md'])).incoming).toMatchObject([{ line: 5 }]);
    expect(await unresolved()).toMatchObject([{ target: 'gone/plan' }]);
    await ask('DELETE', `/notebooks/1/files/${ids['work/plan.md'] ?? ''}?wait=30`);
    expect((await links(served, ids['index.md'])).outgoing[0]?.file).toBeNull();
    expect(await unresolved()).toMatchObject([{ target: 'Plan' }]);
    expect((await links(served, ids['index.md'])).incoming).toEqual([]);
  });

  it('name headings and blocks, which are checked and kept when the note moves', async () => {
    const served = await serve();
    const { ask, read } = served;
    const ids = await create(served, {
      'n.md': '# One: two\n\ntext ^block-1\n\n<a id="html"></a>\n\n## Same\n## Same\n## R&D\n',
      'p.pdf': 'x',
      'index.md':
        '[[n#One two]] [[n#One: two#Same]] [[n#^block-1|b]] [a](n.md#one-two) [b](n.md#html) [c](n.md#same-1)\n[[n#R D]] [[p.pdf#page=2]] [[n#Gone]] [d](n.md#^none)\n',
    });
    const unresolved = async (): Promise<unknown> => (await ask('GET', '/notebooks/1/unresolved')).body['data'];
    expect(await unresolved()).toMatchObject([
      { target: 'n#Gone', from: [{ path: 'index.md', line: 2 }] },
      { target: 'n.md#^none' },
    ]);
    const { outgoing } = await links(served, ids['index.md']);
    expect(outgoing[8]).toMatchObject({ part: 'Gone', is_part_missing: true, file: { path: 'n.md' } });
    expect(outgoing[0]).toMatchObject({ part: 'One two', is_part_missing: false });
    await ask('PATCH', '/notebooks/1/files/n.md/move?wait=30', { dest_path: 'sub/m.md' });
    await expect
      .poll(() => read('index.md'))
      .toBe(
        '[[m#One two]] [[m#One: two#Same]] [[m#^block-1|b]] [a](sub/m.md#one-two) [b](sub/m.md#html) [c](sub/m.md#same-1)\n[[m#R D]] [[p.pdf#page=2]] [[m#Gone]] [d](sub/m.md#^none)\n',
      );
  });

  it('are completed while they are written', async () => {
    const served = await serve();
    await create(served, {
      'a/Boiling.md': '# Water and heat',
      'b/boiling.md': 'other',
      'b/Freezing point.md': '',
      'c/picture.png': '',
    });
    const names = async (q: string): Promise<unknown> =>
      (await served.ask('GET', `/notebooks/1/link-names?query=${encodeURIComponent(q)}`)).body['data'];
    expect(await names('boil')).toMatchObject([
      { path: 'a/Boiling.md', title: 'Water and heat', link: 'a/Boiling' },
      { path: 'b/boiling.md', link: 'b/boiling' },
    ]);
    expect(await names('POINT fr')).toMatchObject([{ path: 'b/Freezing point.md', link: 'Freezing point' }]);
    expect(await names('heat')).toMatchObject([{ path: 'a/Boiling.md' }]);
    expect(await names('pict')).toMatchObject([{ link: 'picture.png' }]);
    expect(await names('')).toMatchObject([{ path: 'c/picture.png' }, {}, {}, {}]);
    expect(await names('"*" OR x')).toEqual([]);
    await create(served, { 'c/People.md': '---\naliases: [Ada L., The Team]\n---\n' });
    expect(await names('the t')).toEqual([
      { id: expect.any(String), path: 'c/People.md', title: null, link: 'People|The Team' },
    ]);
  });
});
