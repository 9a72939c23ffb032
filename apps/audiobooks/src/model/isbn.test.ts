import { describe, expect, it } from 'vitest';
import { parseIsbn } from './normalize.ts';

describe('an ISBN', () => {
  it('is kept in both forms, without hyphens and with a capital X', () => {
    const both = { isbn10: '080442957X', isbn13: '9780804429573', invalid: null };
    expect(parseIsbn('0-8044-2957-x')).toEqual(both);
    expect(parseIsbn('ISBN-13: 978-0-8044-2957-3')).toEqual(both);
  });

  it('that begins with 979 has no short form', () => {
    expect(parseIsbn('9791090636071')).toEqual({ isbn10: null, isbn13: '9791090636071', invalid: null });
  });

  it('with a wrong check digit is kept as text', () => {
    expect(parseIsbn('9780804429574')).toEqual({ isbn10: null, isbn13: null, invalid: '9780804429574' });
    expect(parseIsbn('  ')).toEqual({ isbn10: null, isbn13: null, invalid: null });
  });
});
