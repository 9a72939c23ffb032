import { describe, expect, it } from 'vitest';
import { blake3Hex, freeTaskId, idStem, isSameContent, taskHash } from './ids.ts';

const SID = '01JP0000000000000000000000';

describe('task ids', () => {
  it('are made with blake3-256', () => {
    expect(blake3Hex('abc')).toBe('6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85');
  });

  it('are the first six digits of the hash of title, description and session', () => {
    const hash = taskHash({ title: ' Buy MILK ', description: 'Two Bottles\n' }, SID);
    expect(hash).toBe(blake3Hex(`buy milk|two bottles|${SID}`));
    expect(idStem(hash)).toBe(hash.slice(0, 6));
    expect(freeTaskId(hash, new Set())).toBe(hash.slice(0, 6));
  });

  it('grow until they are free', () => {
    const hash = blake3Hex('x');
    expect(freeTaskId(hash, new Set([hash.slice(0, 6)]))).toBe(hash.slice(0, 7));
    expect(freeTaskId(hash, new Set([hash.slice(0, 6), hash.slice(0, 7)]))).toBe(hash.slice(0, 8));
  });

  it('know that a bar in the text does not make two tasks one, though their hashes are equal', () => {
    const left = { title: 'a|b', description: 'c' };
    const right = { title: 'a', description: 'b|c' };
    expect(taskHash(left, SID)).toBe(taskHash(right, SID));
    expect(isSameContent(left, right)).toBe(false);
    expect(isSameContent(left, { title: 'A|B ', description: 'C' })).toBe(true);
  });
});
