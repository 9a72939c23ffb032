import { describe, expect, it } from 'vitest';

import { rowsOf, type TreeEntry } from './tree-rows.ts';
import { NotebookTree, type ReadChildren } from './tree-store.ts';

const PAGE = 2;

function entry(path: string, kind: 'file' | 'folder' = 'file'): TreeEntry {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return { kind, id: path, name, path, title: null, git_reason: null, has_children: kind === 'folder' };
}

/** A notebook that counts requests. */
function library(): { files: Record<string, TreeEntry[]>; asked: string[]; read: ReadChildren } {
  const files: Record<string, TreeEntry[]> = {
    '': [entry('d', 'folder'), entry('a.md'), entry('b.md'), entry('c.md')],
    d: [entry('d/x.md')],
  };
  const asked: string[] = [];
  return {
    files,
    asked,
    read: (folder, cursor = '0') => {
      asked.push(`${folder}@${cursor}`);
      const from = Number(cursor);
      const all = files[folder] ?? [];
      const next = from + PAGE < all.length ? String(from + PAGE) : null;
      return Promise.resolve({ data: all.slice(from, from + PAGE), next_cursor: next });
    },
  };
}

const names = (tree: NotebookTree): readonly string[] => {
  const { folders, open } = tree.state.get();
  return rowsOf(folders, open).map((row) => (row.type === 'entry' ? `${row.level} ${row.entry.path}` : row.says));
};
const settled = (): Promise<void> => new Promise((done) => setTimeout(done));

describe('the tree of a notebook', () => {
  it('reads a folder when it is opened, and further pages when they are wanted', async () => {
    const { read, asked } = library();
    const tree = new NotebookTree(read);
    tree.open('');
    await settled();
    expect(names(tree)).toEqual(['1 d', '1 a.md', 'reading']);
    tree.open('d');
    tree.open('d');
    await settled();
    expect(names(tree)).toEqual(['1 d', '2 d/x.md', '1 a.md', 'reading']);
    await Promise.all([tree.more(''), tree.more('')]);
    expect(names(tree)).toEqual(['1 d', '2 d/x.md', '1 a.md', '1 b.md', '1 c.md']);
    expect(asked).toEqual(['@0', 'd@0', '@2']);
  });

  it('takes in what others change, as far as it was read, and keeps what is open', async () => {
    const { read, files, asked } = library();
    const tree = new NotebookTree(read);
    tree.reveal('d/x.md');
    await settled();
    files[''] = [entry('d', 'folder'), entry('0.md'), ...(files['']?.slice(1) ?? [])];
    asked.length = 0;
    tree.refresh('');
    tree.refresh('elsewhere');
    await settled();
    expect(names(tree)).toEqual(['1 d', '2 d/x.md', '1 0.md', 'reading']);
    expect(asked).toEqual(['@0']);
  });

  it('says what went wrong, and tries again', async () => {
    const { read } = library();
    let isBroken = true;
    const tree = new NotebookTree((folder, cursor) =>
      isBroken ? Promise.reject(new Error('no')) : read(folder, cursor),
    );
    tree.open('');
    await settled();
    expect(names(tree)).toEqual(['failed']);
    isBroken = false;
    tree.retry('');
    await settled();
    expect(names(tree)).toEqual(['1 d', '1 a.md', 'reading']);
  });
});
