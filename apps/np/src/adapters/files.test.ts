import { describe, expect, it } from 'vitest';
import { commandLine } from './files.ts';

describe('the command line in the log', () => {
  it('is what a shell would understand', () => {
    expect(commandLine('np', ['t', 'a', '-t', "it's", '-d', ''])).toBe(String.raw`np t a -t 'it'\''s' -d ''`);
    expect(commandLine('np', ['s'])).toBe('np s');
  });

  it('is bounded, word by word and as a whole, and never cuts a character in two', () => {
    expect(commandLine('np', ['g', 's', '-t', `${'x'.repeat(79)}🎉y`])).toBe(`np g s -t ${'x'.repeat(79)}…`);
    const many = commandLine(
      'np',
      Array.from({ length: 500 }, (_, index) => `word${index}`),
    );
    expect(many).toHaveLength(401);
    expect(commandLine('np', ['\ud800']).isWellFormed()).toBe(true);
  });
});
