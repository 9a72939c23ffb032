import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, expect, it } from 'vitest';

import { Folders } from './folders.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'holdfast-folders-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const root = join(folder, 'root');
mkdirSync(join(root, 'notes/2026'), { recursive: true });
mkdirSync(join(root, '.ssh'));
mkdirSync(join(folder, 'root-other'));
symlinkSync(join(folder, 'root-other'), join(root, 'link'));
writeFileSync(join(root, 'file.txt'), '');

it('lists visible folders inside the offered ones', () => {
  const folders = new Folders([root]);
  expect(folders.list(undefined)).toEqual({
    path: root,
    parent: null,
    folders: [{ name: 'notes', path: join(root, 'notes') }],
  });
  expect(folders.list(join(root, 'notes'))).toMatchObject({ parent: root, folders: [{ name: '2026' }] });
});

it('lists the offered folders if there are several', () => {
  const other = join(folder, 'root-other');
  expect(new Folders([root, other]).list(undefined).folders.map(({ path }) => path)).toEqual([root, other]);
});

it.each(['/', '..', 'root-other', 'root/../root-other', 'root/link', 'root/missing', 'root/file.txt'])(
  'refuses %s',
  (path) => {
    const wanted = path === '/' ? path : join(folder, path);
    expect(() => new Folders([root]).list(wanted)).toThrow(expect.objectContaining({ code: 'FOLDER_NOT_OFFERED' }));
  },
);
