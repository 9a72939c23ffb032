import { describe, expect, it } from 'vitest';
import { normalize } from './ids.ts';

describe('normalize, as a program in Go would', () => {
  it('trims what Go calls space: U+0085 is, U+FEFF is not', () => {
    expect(normalize('\u0085\u00a0\t a b \n\u3000\u2028')).toBe('a b');
    expect(normalize('\ufeffa')).toBe('\ufeffa');
    expect(normalize('\u200ba')).toBe('\u200ba');
  });

  it('lowers each character by itself: no final sigma, no second character for a dotted I', () => {
    expect(normalize('ΟΔΟΣ')).toBe('οδοσ');
    expect(normalize('İSTANBUL')).toBe('istanbul');
    expect(normalize('STRASSE ẞ')).toBe('strasse ß');
    expect(normalize('𐐀')).toBe('𐐨');
  });

  it('composes: two ways to write é are one', () => {
    expect(normalize('Caf\u0065\u0301')).toBe('caf\u00e9');
    expect(normalize('E\u0301')).toBe(normalize('é'));
  });

  it('keeps what is inside', () => {
    expect(normalize('Two  Spaces\nand a line')).toBe('two  spaces\nand a line');
  });
});
