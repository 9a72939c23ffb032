import { describe, expect, it } from 'vitest';

import { folderOf, grouped, pastFolder, steps } from './grouping.ts';
import { recordOf } from './relations.ts';

const key = (name: string): { key: string; value: string; encoding: 'text' } => ({
  key: name,
  value: '',
  encoding: 'text',
});

describe('keys as folders', () => {
  it('are parted at / and :', () => {
    expect(folderOf('s/1/task/9', 's/')).toBe('s/1/');
    expect(folderOf('idx:user:x', '')).toBe('idx:');
    expect(folderOf('s/1', 's/')).toBeUndefined();
    expect(steps('s/1/')).toEqual(['s/', 's/1/']);
  });

  it('count what is known of each; a page that ends within a folder says so', () => {
    const pages = [{ data: ['a', 'b/1', 'b/2', 'c/1', 'c/2'].map(key), next_cursor: 'c/2' }];
    expect(grouped(pages, '')).toEqual([
      { kind: 'key', stored: key('a') },
      { kind: 'folder', prefix: 'b/', count: 2, isPartial: false },
      { kind: 'folder', prefix: 'c/', count: 2, isPartial: true },
    ]);
  });

  it('the next page passes over the rest of a folder, and misses nothing behind it', () => {
    const after = pastFolder('')('c/2');
    expect(after > 'c/zzzz').toBe(true);
    expect(after < 'c0' && after < 'd').toBe(true);
    expect(pastFolder('s/')('s/plain')).toBe('s/plain');
  });
});

describe('from an index to its record', () => {
  it('by a part of the key, or by the value', () => {
    expect(recordOf('np', 's/S1/idx/status/pending/T1', '')).toBe('s/S1/task/T1');
    expect(recordOf('np', 's/S1/idx/task_order/0001', 'T1')).toBe('s/S1/task/T1');
    expect(recordOf('accounts', 'idx:user:username:ada', 'U1')).toBe('u:U1');
    expect(recordOf('accounts', 'u:U1', '{}')).toBeUndefined();
  });
});
