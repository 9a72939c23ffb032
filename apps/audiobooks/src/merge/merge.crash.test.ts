import { copyFileSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { sound } from '../../test/fixtures.ts';
import { runProgram } from '../../test/process.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';

function library(): { readonly root: string; readonly state: string } {
  const folder = temporaryFolder();
  const [root, state] = [join(folder, 'library'), join(folder, 'state')];
  mkdirSync(state);
  mkdirSync(join(root, 'A B/T'), { recursive: true });
  for (const name of ['1.m4a', '2.m4a']) copyFileSync(sound('m4a', { seconds: 1 }), join(root, 'A B/T', name));
  return { root, state };
}

function filesIn(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(root, path)).isFile())
    .sort();
}

const BEFORE = ['A B/T/1.m4a', 'A B/T/2.m4a'];
const AFTER = ['.holdfast/originals/OP1/0-1.m4a', '.holdfast/originals/OP1/1-2.m4a', 'A B/T/T.m4b'];

describe('merging, killed', () => {
  it.each([
    ['audiobooks.merge.joined:1', BEFORE],
    ['audiobooks.merge.verified:1', BEFORE],
    ['audiobooks.moves.planned:1', BEFORE],
    ['audiobooks.move.linked:2', BEFORE],
    ['audiobooks.moves.moved:1', BEFORE],
    ['audiobooks.moves.moved:2', BEFORE],
    ['audiobooks.moves.all_moved:1', BEFORE],
    ['audiobooks.moves.committed:1', AFTER],
    ['audiobooks.moves.cleaning:1', AFTER],
  ])('at %s, is undone or finished at the next start, as the catalogue knows it', async (step, expected) => {
    const { root, state } = library();
    const victim = await runProgram('merge-victim', [root, state], step);
    expect(victim.wasKilled, victim.output).toBe(true);
    expect(existsSync(join(state, 'known.json'))).toBe(expected === AFTER);
    // Kills the next run right after recovery, to inspect the result.
    const next = await runProgram('merge-victim', [root, state], 'audiobooks.merge.joined:1');
    expect(next.output).toContain(expected === AFTER ? 'recovered finished' : 'recovered undone');
    expect(filesIn(root).filter((path) => !path.includes('/work/'))).toEqual(expected);
    const last = await runProgram('merge-victim', [root, state]);
    expect(last.output, last.output).toContain('done');
    expect(filesIn(root)).toEqual(AFTER);
  });
});
