import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeControls, escapeJsonControls, plainText, renderText, style, usesColour } from './text.ts';
import { wrap } from './width.ts';

const coloured = { useColour: true, escapes: true };

describe('text', () => {
  it('opens what surrounds a style again when the style ends', () => {
    expect(renderText(style.bold('a', style.dim('b'), 'c'), coloured)).toBe(
      '\u001b[1ma\u001b[2mb\u001b[0m\u001b[1mc\u001b[0m',
    );
  });

  it('is plain without colour', () => {
    const text = ['a ', style.red('b', 1)];
    expect(renderText(text, { useColour: false, escapes: true })).toBe('a b1');
    expect(plainText(text)).toBe('a b1');
  });

  it('shows escape sequences in data instead of obeying them, unless they are wanted', () => {
    const hostile = '\u001b]0;title\u0007 \u009b2J \u202e \r';
    expect(renderText(style.red(hostile), { useColour: false, escapes: true })).toBe(
      String.raw`\x1b]0;title\x07 \x9b2J \u202e \x0d`,
    );
    expect(renderText(hostile, { useColour: false, escapes: false })).toBe(hostile);
    expect(escapeControls('a\r\nb\tc')).toBe('a\nb\tc');
  });

  it('lets no control character through, whatever the data', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (data) => {
        expect(escapeControls(data)).not.toMatch(/[^\P{Cc}\n\t]/u);
      }),
    );
  });

  it('escapes JSON without changing what it means', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (data) => {
        const json = escapeJsonControls(JSON.stringify(data));
        expect(JSON.parse(json)).toBe(data);
        expect(json).not.toMatch(/\p{Cc}/u);
      }),
    );
  });
});

describe('colour', () => {
  it.each([
    [{}, true, true, true],
    [{}, false, true, false],
    [{}, true, false, false],
    [{ NO_COLOR: '1' }, true, true, false],
    [{ NO_COLOR: '' }, true, true, true],
    [{ FORCE_COLOR: '1' }, false, true, true],
    [{ FORCE_COLOR: '0' }, true, true, false],
    [{ FORCE_COLOR: '1', NO_COLOR: '1' }, true, true, false],
    [{ TERM: 'dumb' }, true, true, false],
  ])('with %o, terminal %s, wanted %s is %s', (env, isTerminal, isWanted, expected) => {
    expect(usesColour({ env, isTerminal, isWanted })).toBe(expected);
  });
});

describe('wrap', () => {
  it('breaks at spaces, keeps line ends and leaves long words whole', () => {
    expect(wrap('one two three\nfour', 8)).toEqual(['one two', 'three', 'four']);
    expect(wrap('incomprehensibilities yes', 8)).toEqual(['incomprehensibilities', 'yes']);
    expect(wrap('', 8)).toEqual(['']);
  });
});
