/** Kills writers at random times and between steps of a commit. Acknowledged changes must exist and be consistent. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { bundledProgram } from '../../../packages/base/test/bundled-program.ts';
import { listTasks, type Np, openNp, readLog, startSession, verify } from '../src/index.ts';
import { newPlace } from './built-np.ts';
import { temporaryFolder } from './harness.ts';

const WRITERS = 16;
const program = fileURLToPath(new URL('programs/writer.ts', import.meta.url));

interface Writer {
  readonly child: ChildProcess;
  readonly acknowledged: string[];
  readonly ended: Promise<void>;
}

function startWriter(path: string, sid: string, name: string): Writer {
  const words = [bundledProgram(program), path, sid, name];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  const acknowledged: string[] = [];
  let rest = '';
  child.stdout.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop() ?? '';
    acknowledged.push(...lines);
  });
  return { child, acknowledged, ended: new Promise((resolve) => child.once('close', () => resolve())) };
}

async function expectSound(np: Np, sid: string, acknowledged: readonly string[]): Promise<void> {
  const { tasks } = await listTasks(np, { sid });
  const titles = new Set(tasks.map(({ title }) => title));
  const done = new Set(tasks.filter(({ status }) => status === 'completed').map(({ title }) => title));
  const lost = acknowledged.filter((line) => {
    const [what, title = ''] = line.split(' ');
    return !(what === 'added' ? titles : done).has(title);
  });
  expect(lost).toEqual([]);
  const { events } = await readLog(np, { sid }, { after: -1, limit: 1_000_000 });
  expect(events.every(({ seq }, index) => seq === index)).toBe(true);
  expect((await verify(np, false)).problems).toEqual([]);
}

describe('killed with kill -9', () => {
  it('one by one, sixteen writers lose nothing that was acknowledged and leave no gap', async () => {
    const path = join(temporaryFolder(), 'np.db');
    const np = await openNp({ path });
    const { session } = await startSession(np, { directory: '/anywhere', cmd: 'test' });
    const writers = Array.from({ length: WRITERS }, (_, index) => startWriter(path, session.sid, `w${index}`));
    const waitForAll = async (count: number): Promise<void> => {
      while (writers.some(({ acknowledged }) => acknowledged.length < count)) await pause(20);
    };
    // Every writer commits at least three times. Then they are killed one by one while the others continue.
    await waitForAll(3);
    for (const [index] of writers.entries()) {
      // 7 and 16 have no common divisor, so every writer is killed once, in a different order.
      writers[(index * 7) % WRITERS]?.child.kill('SIGKILL');
      await pause((index * 37) % 60);
    }
    await Promise.all(writers.map(({ ended }) => ended));
    const acknowledged = writers.flatMap((writer) => writer.acknowledged);
    expect(acknowledged.length).toBeGreaterThan(WRITERS * 3 - 1);
    await expectSound(np, session.sid, acknowledged);
    await np.close();
  });

  it.each(['sqlite.commit.before', 'sqlite.commit.after'])(
    'at %s, a command did all of its work or none',
    async (name) => {
      const place = newPlace();
      place.np(['s']);
      place.np(['t', 'a', '-t', 'first']);
      const words = ['t', 'a', '-t', 'second', '-t', 'third'];
      const { code } = place.np(words, { env: { HOLDFAST_FAILPOINT: `${name}:1` } });
      expect(code).toBeNull();
      const np = await openNp({ path: join(place.home, 'np.db') });
      const { session, tasks } = await listTasks(np, { directory: place.project });
      expect(tasks).toHaveLength(name.endsWith('before') ? 1 : 3);
      await expectSound(np, session.sid, []);
      await np.close();
      expect(place.np(words).code).toBe(0);
    },
  );
});

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
