/** Writes as fast as it can for the requested time. Arguments: kind of lock, database, process name. */
import { answerQuestions } from '../lib/child.ts';
import { type LockKind, openWriter } from '../sqlite/contended.ts';

export interface Written {
  readonly commits: number;
  /** Longest time from call to acknowledgement. */
  readonly longestMs: number;
}

const [kind, path, name] = process.argv.slice(2) as [LockKind, string, string];
/**
 * Number of commits before the measurement, so that V8 has compiled the code. They use a database that nobody else
 * uses.
 */
const WARM_UP_COMMITS = 1_000;

const warmUp = await openWriter(kind, `${path}.${name}`, name);
for (let n = 0; n < WARM_UP_COMMITS; n++) await warmUp.write(n);
await warmUp.close();
const writer = await openWriter(kind, path, name);
answerQuestions(writeFor);

async function writeFor(milliseconds: string): Promise<Written> {
  const end = performance.now() + Number(milliseconds);
  let commits = 0;
  let longestMs = 0;
  for (let started = performance.now(); started < end;) {
    await writer.write(commits);
    const now = performance.now();
    longestMs = Math.max(longestMs, now - started);
    started = now;
    commits += 1;
  }
  await writer.close();
  return { commits, longestMs };
}
