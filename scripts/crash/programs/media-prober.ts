/** Reads damaged media files and reports each result: `media-prober FOLDER SEED FILES`. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { readSound } from '../../../apps/audiobooks/src/adapters/read-sound.ts';
import { mutated } from '../../../apps/audiobooks/test/mutate.ts';
import { mediaSamples } from '../../../apps/audiobooks/test/samples.ts';
import { Random } from '../../../packages/sqlite/test/random.ts';

const [folder = '', seed = '1', files = '1'] = process.argv.slice(2);
const random = new Random(Number(seed));
const samples = mediaSamples();
const name = `damaged-${process.pid}.mp3`;
for (let n = 0; n < Number(files); n++) {
  writeFileSync(join(folder, name), mutated(samples, random));
  const result = await readSound(folder, name);
  if ('problem' in result) {
    process.stdout.write(`refused ${n} ${result.problem.kind}\n`);
    continue;
  }
  const { durationMs, chapters } = result.file;
  const isPossible =
    Number.isSafeInteger(durationMs) && durationMs > 0 && chapters.every(({ startMs, endMs }) => startMs < endMs);
  process.stdout.write(`${isPossible ? 'read' : 'impossible'} ${n} ${durationMs}\n`);
}
rmSync(join(folder, name), { force: true });
process.stdout.write(`rss ${Math.round(process.resourceUsage().maxRSS / 1024)}\n`);
