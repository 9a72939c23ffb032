import { spawnSync } from 'node:child_process';

import { expect, it } from 'vitest';

import { serve, type Served } from '../../test/served.ts';
import { notebookPath } from '../model/path.ts';

interface Found {
  readonly data: readonly {
    readonly file: { path: string };
    readonly snippet: readonly { text: string; hit: boolean }[];
  }[];
  readonly next_cursor: string | null;
}

async function find({ ask }: Served, query: string, path = '/notebooks/1/search'): Promise<Found> {
  const { status, body } = await ask('GET', `${path}?${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body as unknown as Found;
}

const paths = ({ data }: Found): string[] => data.map(({ file }) => file.path);
const q = (text: string): string => `query=${encodeURIComponent(text)}`;

async function withNotes(): Promise<Served> {
  const served = await serve();
  const notes = {
    'lab/boiling.md':
      '---\ntags: [Lab, water]\nstatus: open\ncount: 3\n---\n# Boiling point\n\nWater boils early in the mountains. #physics\n',
    'lab/ice.md': '---\ntitle: Eis\nstatus: Done\n---\nWater freezes. Schöne Größe, naïve café.\n\nSee [[boiling]].\n',
    'diary/today.md': 'It rained. The water came in. #lab/wet\n',
    'broken.md': '---\na: [\n---\nStill found\n',
    'table.csv': 'name,degrees\nhelium,-269\n',
    'photo.png': '\u0089PNG\0water',
  };
  const requests = Object.entries(notes).map(
    ([path, text]) => ({ type: 'create', path: notebookPath(path), content: Buffer.from(text) }) as const,
  );
  await served.codex.run({ notebookId: 1, author: 'Ada', requests }, 30_000);
  return served;
}

it('finds notes by words, beginnings, phrases, without, tags, properties, path and time', async () => {
  const served = await withNotes();
  const both = await find(served, q('wat'));
  expect(new Set(paths(both))).toEqual(new Set(['lab/boiling.md', 'lab/ice.md', 'diary/today.md']));
  const cases: Readonly<Record<string, readonly string[]>> = {
    'boil mount': ['lab/boiling.md'],
    '"water freezes"': ['lab/ice.md'],
    '"freezes water"': [],
    'water -freezes -rain': ['lab/boiling.md'],
    '-water -found -helium': ['photo.png'],
    'schone grosse': [],
    'Schone Große': ['lab/ice.md'],
    'NAIVE CAFÉ': ['lab/ice.md'],
    'title:eis': ['lab/ice.md'],
    'tag:LAB': ['diary/today.md', 'lab/boiling.md'],
    '#lab water -tag:water': ['diary/today.md'],
    'status:OPEN': ['lab/boiling.md'],
    'water status:done': ['lab/ice.md'],
    'count:3 path:Lab/': ['lab/boiling.md'],
    'status: -status:open': ['lab/ice.md'],
    'path:diary': ['diary/today.md'],
    helium: ['table.csv'],
    photo: ['photo.png'],
    found: ['broken.md'],
    'water after:2999-01-01': [],
    'mountains after:2000 before:2999-01-01': ['lab/boiling.md'],
  };
  for (const [text, wanted] of Object.entries(cases)) {
    expect(paths(await find(served, q(text))).toSorted(), text).toEqual(wanted);
  }
  expect(paths(await find(served, 'tags=lab&tags=water'))).toEqual(['lab/boiling.md']);
  expect(paths(await find(served, 'properties=status:done&path=lab/'))).toEqual(['lab/ice.md']);
  expect(paths(await find(served, `${q('water')}&after=2999-01-01`))).toEqual([]);
  for (const [parameter, isFound] of [
    ['after=2000', true],
    ['before=2000', false],
    ['before=2999-12', true],
    ['after=2000-01-01T00:00:00%2B02:00', true],
  ] as const) {
    expect(paths(await find(served, `${q('mountains')}&${parameter}`)), parameter).toHaveLength(isFound ? 1 : 0);
  }
  expect(paths(await find(served, ''))).toEqual([]);
  expect(paths(await find(served, q('boiling'), '/search'))).toEqual(['lab/boiling.md', 'lab/ice.md']);
  const [first] = (await find(served, q('mountains'))).data;
  expect(first?.snippet.filter(({ hit }) => hit)).toEqual([{ text: 'mountains', hit: true }]);
  expect(first?.file).toMatchObject({ title: 'Boiling point', tags: ['Lab', 'water', 'physics'], links_out: 0 });
  const tags = await served.ask('GET', '/notebooks/1/tags');
  expect(tags.body['data']).toEqual([
    { tag: 'Lab', count: 1 },
    { tag: 'lab/wet', count: 1 },
    { tag: 'physics', count: 1 },
    { tag: 'water', count: 1 },
  ]);
  const properties = await served.ask('GET', '/notebooks/1/properties');
  expect(properties.body['data']).toContainEqual({ key: 'status', count: 2 });
  const broken = await served.ask('GET', '/notebooks/1/files?path=broken.md');
  expect((broken.body['data'] as { properties_error: string }[])[0]?.properties_error).toMatch(/^line /u);
});

it('takes any text for a query, and never a query for a command', async () => {
  const served = await withNotes();
  const hostile = [
    '"',
    '""',
    '"" ""',
    'a" OR "b',
    'NEAR(a b)',
    'title:',
    'body : water',
    '{title} : x',
    '^water',
    'a*b*',
    'water*',
    '-',
    '--',
    '- -',
    '(',
    ')))',
    'AND',
    'OR NOT',
    'water AND',
    '+',
    ':',
    'tag:',
    '#',
    '#"',
    "'; DROP TABLE note_text; --",
    '\0',
    '\u{10ffff}',
    'x'.repeat(900),
    '" '.repeat(300),
    '-"',
    'path:"',
    'after:x',
    'after:9999-99',
    'a:b:c',
    '\ud800',
  ];
  for (const text of hostile) {
    const { status } = await served.ask('GET', `/notebooks/1/search?${q(text.toWellFormed())}`);
    expect(status, text).toBe(200);
  }
  expect(paths(await find(served, q('water OR helium')))).toEqual([]);
  expect(paths(await find(served, q('note_text:water')))).toEqual([]);
  expect((await served.ask('GET', '/notebooks/9/search?query=a')).status).toBe(404);
  for (const time of ['never', '2026-13', '2026-1', '26']) {
    expect((await served.ask('GET', `/notebooks/1/search?query=a&after=${time}`)).status, time).toBe(422);
  }
});

it('follows every change: edits, moves, the trash and back', async () => {
  const served = await withNotes();
  const { run } = served;
  await run({ type: 'update', file: { path: notebookPath('lab/ice.md') }, content: Buffer.from('Steam now') });
  expect(paths(await find(served, q('freezes')))).toEqual([]);
  expect(paths(await find(served, q('steam')))).toEqual(['lab/ice.md']);
  expect(paths(await find(served, q('status:done')))).toEqual([]);
  await run({ type: 'move_folder', path: notebookPath('lab'), dest_path: notebookPath('old/lab') });
  expect(paths(await find(served, q('steam path:old/')))).toEqual(['old/lab/ice.md']);
  await run({ type: 'move', file: { path: notebookPath('old/lab/ice.md') }, dest_path: notebookPath('vapour.md') });
  expect(paths(await find(served, q('vapour')))).toEqual(['vapour.md']);
  const gone = await run({ type: 'delete_folder', path: notebookPath('old') });
  expect(paths(await find(served, q('mountains')))).toEqual([]);
  expect((await served.ask('GET', '/notebooks/1/tags')).body['data']).toEqual([{ tag: 'lab/wet', count: 1 }]);
  await run({ type: 'undo_delete', event_id: gone.id });
  expect(paths(await find(served, q('mountains')))).toEqual(['old/lab/boiling.md']);
  await run({ type: 'delete', file: { path: notebookPath('vapour.md') } });
  expect(paths(await find(served, q('steam')))).toEqual([]);
});

it('gives pages, each note once', async () => {
  const served = await serve();
  const requests = Array.from({ length: 25 }, (_, n) => {
    const content = Buffer.from(`common word, ${'more '.repeat(n)}`);
    return { type: 'create', path: notebookPath(`n${n}.md`), content } as const;
  });
  await served.codex.run({ notebookId: 1, author: 'Ada', requests }, 30_000);
  for (const query of [q('common'), q('path:n')]) {
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const found: Found = await find(served, `${query}&limit=10${cursor === '' ? '' : `&cursor=${cursor}`}`);
      seen.push(...paths(found));
      cursor = found.next_cursor;
    }
    expect(new Set(seen).size).toBe(25);
    expect(seen).toHaveLength(25);
  }
});

const sentences = [
  '東京都は日本の首都である。京都大学と大阪大学も有名だ。',
  '東京、大阪、名古屋を新幹線が結ぶ。カーテンとカレーライス。',
  '我们在北京大学学习中文,然后去上海工作。',
  '臺灣的圖書館收藏了很多關於天氣的書籍。',
  '한국어 검색은 단어의 일부도 찾아야 한다. 서울특별시와 부산광역시.',
  '東京Tower과 北京Node入門 2026年版 𠮷野家',
  '「日本」、「語」は別の言葉。日 本',
];

it('finds every part of Chinese, Japanese and Korean text, as grep does', async () => {
  const served = await serve();
  const requests = sentences.map((text, n) => {
    const content = Buffer.from(`Some words before\n${text}\n`);
    return { type: 'create', path: notebookPath(`n${n}.md`), content } as const;
  });
  await served.codex.run({ notebookId: 1, author: 'Ada', requests }, 30_000);
  const runs = sentences.flatMap((text) => text.match(/[\p{L}\p{N}]+/gu) ?? []).map((run) => Array.from(run));
  const parts = runs.flatMap((run) =>
    run.flatMap((_, start) => [1, 2, 3, 5].map((length) => run.slice(start, start + length).join(''))),
  );
  // Leaves out parts with Latin letters: search finds a word in Latin letters only by its beginning.
  const queries = new Set(parts.filter((part) => /^[^a-z\d]+$/iu.test(part)));
  expect(queries.size).toBeGreaterThan(200);
  for (const query of [...queries, '東京都', '京大', '日本語', '天気', 'Tower과', 'Node入']) {
    const grep = spawnSync('grep', ['-lF', '--', query, ...requests.map(({ path }) => path)], {
      cwd: served.notebook.path,
      encoding: 'utf8',
    });
    const found = paths(await find(served, `${q(query)}&limit=50`));
    expect(found.toSorted(), query).toEqual(grep.stdout.split('\n').filter(Boolean).toSorted());
  }
  const hit = (await find(served, q('大阪'))).data.find(({ file }) => file.path === 'n1.md');
  expect(hit?.snippet).toContainEqual({ text: '大阪', hit: true });
  expect(hit?.snippet.map(({ text }) => text).join('')).toContain(sentences[1]?.slice(0, 12));
  await served.run({
    type: 'create',
    path: notebookPath('会議の記録.md'),
    content: Buffer.from('---\ntags: [気象庁]\n---\n'),
  });
  expect(paths(await find(served, q('議の')))).toEqual(['会議の記録.md']);
  expect(paths(await find(served, q('象庁')))).toEqual(['会議の記録.md']);
  const names = await served.ask('GET', `/notebooks/1/link-names?query=${encodeURIComponent('記録')}`);
  expect(names.body['data']).toMatchObject([{ path: '会議の記録.md' }]);
});
