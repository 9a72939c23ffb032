import { describe, expect, it } from 'vitest';
import { missingEntries, withEntries } from './complete.mjs';

const tool = (...platforms: string[]) => ({
  version: '1.2.3',
  dev: true,
  optionalDependencies: Object.fromEntries(platforms.map((platform) => [`@tool/binding-${platform}`, '1.2.3'])),
});

describe('a lock file', () => {
  it('gets an entry for every platform that the registry in use does not hold', () => {
    const packages = {
      'node_modules/tool': tool('linux-x64-gnu', 'linux-arm-musleabihf', 'win32-x64-msvc', 'wasm32-wasi'),
      'node_modules/@tool/binding-linux-x64-gnu': { version: '1.2.3' },
    };
    const common = { version: '1.2.3', dev: true, optional: true };
    expect(missingEntries(packages)).toEqual({
      'node_modules/@tool/binding-linux-arm-musleabihf': { ...common, os: ['linux'], cpu: ['arm'], libc: ['musl'] },
      'node_modules/@tool/binding-win32-x64-msvc': { ...common, os: ['win32'], cpu: ['x64'] },
      'node_modules/@tool/binding-wasm32-wasi': { ...common, cpu: ['wasm32'] },
    });
  });

  it('is complete when the entry is beside the package or in a folder above', () => {
    const beside = 'node_modules/app/node_modules/tool/node_modules/@tool/binding-darwin-x64';
    const between = 'node_modules/app/node_modules/@tool/binding-darwin-x64';
    for (const path of [beside, between, 'node_modules/@tool/binding-darwin-x64']) {
      const packages = { 'node_modules/app/node_modules/tool': tool('darwin-x64'), [path]: { version: '1.2.3' } };
      expect(missingEntries(packages)).toEqual({});
    }
  });

  it('is not completed by guessing', () => {
    expect(() => missingEntries({ 'node_modules/tool': tool('fast') })).toThrow(/does not show its platform/);
    const range = { 'node_modules/tool': { optionalDependencies: { 'tool-linux-x64': '^1.0.0' } } };
    expect(() => missingEntries(range)).toThrow(/not a single version/);
  });

  it('keeps the order of npm', () => {
    const packages = withEntries({ '': {}, 'node_modules/a': {}, 'node_modules/c': {} }, { 'node_modules/b': {} });
    expect(Object.keys(packages)).toEqual(['', 'node_modules/a', 'node_modules/b', 'node_modules/c']);
  });
});
