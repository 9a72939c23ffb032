import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { Random } from '../../../../packages/sqlite/test/random.ts';
import { mutated } from '../../test/mutate.ts';
import { mediaSamples } from '../../test/samples.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { readSound } from '../adapters/read-sound.ts';
import { readCue, readNfo, readOpf } from '../model/sidecar.ts';
import { probe } from './probe.ts';
import { MediaError, memorySource } from './source.ts';

const SEED = 20_261_115;

describe('damaged files', () => {
  it('are read or refused, and what is read makes sense', async () => {
    const samples = mediaSamples();
    const random = new Random(SEED);
    let [read, refused] = [0, 0];
    for (let n = 0; n < 600; n++) {
      const bytes = mutated(samples, random);
      try {
        const found = await probe(memorySource(bytes));
        read += 1;
        expect(Number.isSafeInteger(found.durationMs), `file ${n}`).toBe(true);
        expect(found.durationMs).toBeGreaterThan(0);
        expect(found.chapters.every(({ startMs, endMs }) => startMs < endMs && endMs <= found.durationMs)).toBe(true);
        await found.cover?.bytes();
      } catch (error) {
        if (!(error instanceof MediaError)) throw error;
        refused += 1;
      }
    }
    // Both outcomes must be frequent, or the mutations test nothing.
    expect(read).toBeGreaterThan(100);
    expect(refused).toBeGreaterThan(50);
  });

  it('come back as problems from a folder, never as exceptions', async () => {
    const samples = mediaSamples();
    const random = new Random(SEED + 1);
    const folder = temporaryFolder();
    for (let n = 0; n < 100; n++) {
      writeFileSync(join(folder, 'x.mp3'), mutated(samples, random));
      const result = await readSound(folder, 'x.mp3');
      expect('file' in result ? result.file.durationMs > 0 : result.problem.kind).toBeTruthy();
    }
  });

  it('beside the sound are read as far as they can be', () => {
    const text = `<package><dc:title>Dune</dc:title><dc:creator>A & B</dc:creator><meta name="calibre:series" content="x"/></package>
FILE "a.mp3" MP3\n TRACK 01 AUDIO\n TITLE "x"\n INDEX 01 00:01:00\nAuthor: x\nTitle: y\n`;
    const random = new Random(SEED + 2);
    for (let n = 0; n < 2_000; n++) {
      const damaged = mutated([Buffer.from(text)], random).toString('latin1');
      for (const read of [readOpf, readNfo, readCue]) expect(() => read(damaged)).not.toThrow();
    }
  });
});
