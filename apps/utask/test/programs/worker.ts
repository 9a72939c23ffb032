/**
 * Runs mixed operations on three shared tags. Prints each acknowledged operation, so a test can check that it was
 * kept.
 */
import { writeSync } from 'node:fs';
import { openUtask } from '../../src/service/open-utask.ts';

const [place = '', profile = '', seed = '0', operations = '0'] = process.argv.slice(2);
const utask = await openUtask({ ...(JSON.parse(place) as { databasePath: string; url: string | undefined }), profile });
const tags = ['red', 'green', 'blue'];
const own: string[] = [];
let state = Number(seed) * 7919 + 1;

function random(below: number): number {
  state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
  return Math.floor((state / 2_147_483_648) * below);
}

/** Writes synchronously, so a kill after the call loses no line. */
function say(line: string): void {
  writeSync(1, `${line}\n`);
}

say('ready');
for (let n = 0; n < Number(operations); n++) {
  const kind = own.length < 3 ? 0 : random(10);
  const some = tags.filter(() => random(2) === 0);
  if (kind < 4) {
    const { id } = await utask.add(`task ${seed}.${n}`, some);
    own.push(id);
    say(`added ${id} ${some.join(',')}`);
  } else if (kind < 7) {
    const id = own[random(own.length)] as string;
    say(`retagging ${id} ${some.join(',')}`);
    await utask.update(id, { tags: some });
    say(`retagged ${id} ${some.join(',')}`);
  } else if (kind < 9) {
    const found = await utask.query({ any: [tags[random(3)] as string], limit: 5 });
    if (found.some(({ tags: has }) => has.length === 0)) say('WRONG answer');
  } else {
    const [id] = own.splice(random(own.length), 1) as [string];
    say(`deleting ${id}`);
    await utask.delete(id);
    say(`deleted ${id}`);
  }
}
say('finished');
await utask.close();
