import { describe, expect, it } from 'vitest';

import { newPasswordForm, passwordForm } from './password.ts';

const codeFrom = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe('a password', () => {
  it('is the same in every composition and width', () => {
    const composed = passwordForm('caf\u00e9 au lait 123');
    expect(passwordForm('cafe\u0301 au lait 123')).toBe(composed);
    expect(passwordForm('ｃafé au lait 123')).toBe(composed);
  });

  it('is otherwise left alone: spaces, case and length count', () => {
    expect(passwordForm('  Two  Spaces ')).toBe('  Two  Spaces ');
  });

  it('may have 1,024 bytes and no more', () => {
    expect(passwordForm('é'.repeat(512))).toHaveLength(512);
    expect(codeFrom(() => passwordForm(`${'é'.repeat(512)}x`))).toBe('PASSWORD_UNUSABLE');
  });

  it('has to be text', () => {
    expect(codeFrom(() => passwordForm('half a character \ud800'))).toBe('PASSWORD_UNUSABLE');
  });

  it('needs twelve characters, counted as people count them', () => {
    expect(() => newPasswordForm('elevenchars', [])).toThrow(
      'A password must have at least 12 characters; this one has 11',
    );
    expect(codeFrom(() => newPasswordForm('😀😁😂😃😄😅', []))).toBe('PASSWORD_WEAK');
    expect(codeFrom(() => newPasswordForm('twelve chars', []))).toBe('twelve chars');
  });

  it.each([
    'aaaaaaaaaaaa',
    'abababababab',
    'Password1234!',
    'qwertyuiopas',
    '123456789012',
    'zyxwvutsrqpo',
    'changeme!!!!',
  ])('cannot be %s, which anybody would try first', (password) => {
    expect(codeFrom(() => newPasswordForm(password, []))).toBe('PASSWORD_WEAK');
  });

  it('cannot be the name or the address', () => {
    const names = ['Ada.Lovelace', 'countess@example.org'];
    expect(codeFrom(() => newPasswordForm('ada.lovelace', names))).toBe('PASSWORD_WEAK');
    expect(codeFrom(() => newPasswordForm('Countess@example.org', names))).toBe('PASSWORD_WEAK');
  });
});
