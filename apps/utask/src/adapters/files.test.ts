import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { configuration, withoutPassword } from './configuration.ts';
import { LocalState } from './files.ts';

it('names a list by its address without the secrets in it', () => {
  const home = mkdtempSync(join(tmpdir(), 'utask-state-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const of = (natsUrl: string) => new LocalState<number>('x', configuration({ natsUrl }, { HOLDFAST_HOME: home }));
  const path = join(home, 'utask-x.json');
  expect(of('nats://ada:p@ss@h:1,bob:pass@i').write(1)).toBe(true);
  expect(of('nats://ada:p@ss@h:1,bob:pass@i').read()).toBe(1);
  expect([of('nats://token@h:1').write(3), of('eve:pass@h:1').write(4)]).toEqual([true, true]);
  expect(readFileSync(path, 'utf8')).not.toMatch(/p@?ss|token|@/);
  expect([of('nats://token@h:1'), of('eve:pass@h:1'), of('nats://h:1')].map((list) => list.read())).toEqual([
    3,
    4,
    undefined,
  ]);
  expect(withoutPassword('nats://ada:p@ss@h:1,bob:pass@i')).toBe('nats://h:1,i');
});
