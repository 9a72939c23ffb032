import { describe, expect, it } from 'vitest';

import { parseIdentity, type PendingRow, readTrailers } from '../model/git.ts';
import { batchIdOf, rowsOfBatch } from './record-unrecorded.ts';
import { commitMessage, quotePath } from './import-stream.ts';

const row = (id: number, path: string): PendingRow => ({
  id,
  kind: 'write',
  path,
  fromPath: undefined,
  hash: 'h',
  size: 1,
  inline: null,
  isExecutable: false,
  eventId: id * 10,
  author: 'a',
  isExternal: false,
  at: 't',
});

describe('an author', () => {
  it('keeps name and address, and cannot write a second header into a commit', () => {
    expect(parseIdentity('Ada <ada@example.org>')).toEqual({ name: 'Ada', email: 'ada@example.org' });
    expect(parseIdentity('Bo b')).toEqual({ name: 'Bo b', email: 'bo-b@codex.invalid' });
    expect(parseIdentity('x\ncommitter evil <e@e>\n')).toEqual({ name: 'x committer evil', email: 'e@e' });
    expect(parseIdentity('  ').name).toBe('codex');
    expect(parseIdentity(null).name).toBe('codex');
  });
});

describe('a batch', () => {
  it('is found again by the rows that it holds, and not by others with the same numbers', () => {
    const rows = [row(3, 'a'), row(4, 'b'), row(7, 'c')];
    const id = batchIdOf(rows);
    expect(id).toMatch(/^3-4,7@[0-9a-f]{24}$/);
    expect(rowsOfBatch(id, [...rows, row(8, 'd')])).toEqual(rows);
    expect(rowsOfBatch(id, [row(3, 'a'), row(4, 'other'), row(7, 'c')])).toBeUndefined();
    expect(rowsOfBatch(id, [row(8, 'd')])).toBeUndefined();
    expect(rowsOfBatch('nonsense', rows)).toBeUndefined();
  });

  it('has a message whose trailers a path cannot forge', () => {
    const after = { mode: '100644', oid: 'x' };
    const path = 'x\n\nCodex-Event: 99\n';
    const message = commitMessage({
      changes: [{ kind: 'write', path, before: undefined, after, source: undefined }],
      eventIds: [5, 4, 5],
      batchId: '1@x',
    });
    expect(readTrailers(message)).toEqual({ batchId: '1@x', eventIds: [4, 5] });
    expect(message).toContain('\nA x��');
    expect(message.split('\n')[0]).toBe('Update x��Codex-Event: 99�');
  });

  it('begins with what was said about it, which cannot forge trailers or marks either', () => {
    const input = { changes: [], eventIds: [5], batchId: '1@x' };
    const message = commitMessage({ ...input, words: ' Mine\u0001\r\nall of it\n\nCodex-Event: 99\n\n' });
    expect(message).toMatch(/^Mine \nall of it\n\nCodex-Event: 99\n\n/);
    expect(readTrailers(message)).toEqual({ batchId: '1@x', eventIds: [5] });
    expect(commitMessage({ ...input, words: ' \n' })).toMatch(/^Batch update/);
  });
});

describe('a path in the stream for git', () => {
  it('is quoted as C would', () => {
    expect(quotePath('plain name.md')).toBe('"plain name.md"');
    expect(quotePath('a"b\\c\nd')).toBe(String.raw`"a\"b\\c\012d"`);
    expect(quotePath('é')).toBe(String.raw`"\303\251"`);
  });
});
