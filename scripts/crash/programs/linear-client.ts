/**
 * Uses one stored object and records each call and answer with the time of the machine's monotonic clock, which is the
 * same for all processes. Arguments: subject, place as JSON, client. Reads lines with a Round; prints lines that start
 * with "call" or "return", and "done" after each round.
 */
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';

import { subjects, type SubjectLocation, type Value } from '../lib/linear-subjects.ts';
import { Random } from '../../../packages/sqlite/test/random.ts';
import type { Round } from '../campaigns/linearizability.ts';

const [name = '', place = '', client = ''] = process.argv.slice(2);
const subject = subjects.find((one) => one.name === name);
if (subject === undefined) throw new Error(`There is no subject ${name}`);
const opened = await subject.open(JSON.parse(place) as SubjectLocation);
const say = (...words: readonly unknown[]): number => writeSync(1, `${words.join(' ')}\n`);
const now = (): number => Number(process.hrtime.bigint() / 1_000n);

say('ready');
let count = 0;
let last: Value | undefined;
for await (const line of createInterface({ input: process.stdin })) {
  const { key, operations, seed, isLiar } = JSON.parse(line) as Round;
  const random = new Random(seed);
  last = undefined;
  let stale: Value | undefined;
  for (let n = 0; n < operations; n++) {
    count += 1;
    const input = subject.choose(random, `${client}.${process.pid}`, count, last);
    const isRead = input['write'] === undefined;
    say('call', `${client}.${process.pid}.${count}`, now(), JSON.stringify(input));
    // A liar answers every read after the first from its memory.
    last = isLiar && isRead && stale !== undefined ? stale : await opened.apply(key, input);
    if (isRead) stale ??= last;
    say('return', `${client}.${process.pid}.${count}`, now(), JSON.stringify(last));
    if (random.next() < 0.3) await new Promise((resolve) => setTimeout(resolve, random.below(4)));
  }
  say('done', key);
}
