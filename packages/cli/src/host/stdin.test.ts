import { describe, expect, it } from 'vitest';
import { readBytes, readText, splitLines } from './stdin.ts';

async function* chunksOf(...pieces: readonly (string | number[])[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield Buffer.from(piece as string);
}

async function linesOf(...pieces: readonly (string | number[])[]): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const line of splitLines(chunksOf(...pieces))) lines.push(line);
  return lines;
}

describe('standard input', () => {
  it('is read whole, characters that were cut between chunks included', async () => {
    expect(await readText(chunksOf('a', [0xc3], [0xa9, 0x0a]), 100)).toBe('aé\n');
  });

  it('is read byte for byte where it need not be text, with a mark at its beginning', async () => {
    expect([...(await readBytes(chunksOf([0xef, 0xbb, 0xbf], [0xff]), 100))]).toEqual([0xef, 0xbb, 0xbf, 0xff]);
  });

  it('is split into lines wherever the chunks end', async () => {
    expect(await linesOf('one\ntw', 'o\r\nthr', 'ee')).toEqual(['one', 'two', 'three']);
    expect(await linesOf('one\n\n', [0xc3], [0xa9])).toEqual(['one', '', 'é']);
    expect(await linesOf()).toEqual([]);
  });

  it('is split without a byte order mark at its beginning', async () => {
    expect(await linesOf('\uFEFFé\n\uFEFFb\n')).toEqual(['é', '\uFEFFb']);
  });

  it('is refused when it is too large or not text', async () => {
    await expect(readText(chunksOf('abc', 'def'), 5)).rejects.toMatchObject({ code: 'INPUT_TOO_LARGE' });
    await expect(readText(chunksOf([0xff]), 5)).rejects.toMatchObject({ code: 'INPUT_NOT_TEXT' });
    await expect(linesOf([0xc3])).rejects.toMatchObject({ code: 'INPUT_NOT_TEXT' });
  });
});
