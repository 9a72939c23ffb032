import { expect, it } from 'vitest';

import { readConfig } from './config.ts';
import { presetOf } from './presets.ts';

it('a key that every object inherits is as unknown as any other', () => {
  const parsed = { run: { constructor: 1 } };
  expect(() => readConfig(parsed, () => undefined)).toThrow('unknown key "constructor" in [run]');
});

it.each(['constructor', '__proto__', 'toString'])('a worker of type %s has no preset', (type) => {
  expect(presetOf(type)).toBeUndefined();
});

it.each(['/etc/passwd', '../other', 'a/../../b', 'cache/', '.', '', '.git/config', '.ringmaster'])(
  'refuses to copy or link %j, which is not a file of the repository',
  (path) => {
    for (const key of ['copy_paths', 'link_paths']) {
      expect(() => readConfig({ run: { [key]: [path] } }, () => undefined)).toThrow(
        `"${path}" in ${key} is not a path`,
      );
    }
  },
);

it('refuses ranges of ports beyond the highest port', () => {
  const run = { first_port: 65_500, slots: 4, ports_per_worktree: 10 };
  expect(() => readConfig({ run }, () => undefined)).toThrow('need ports up to 65539, but the highest port is 65535');
  expect(readConfig({ run: { ...run, first_port: 65_496 } }, () => undefined).run.first_port).toBe(65_496);
});
