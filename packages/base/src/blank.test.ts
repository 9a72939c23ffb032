import { expect, it } from 'vitest';
import { isBlank } from './blank.ts';

it('finds text that shows nothing', () => {
  for (const text of ['', ' \n\t', '\u200b', '\u200b \u2060\ufeff', '\u00ad\u200d\ufe0f', '\u3164', '\u2800']) {
    expect(isBlank(text), JSON.stringify(text)).toBe(true);
  }
  for (const text of ['a', '.', 'é', '日', '👩‍💻', '\u200bx', '\u0301e', '—']) {
    expect(isBlank(text), JSON.stringify(text)).toBe(false);
  }
});
