import { describe, expect, it } from 'vitest';

import { hueOf, initialsOf } from './cover.tsx';

describe('a book without a cover', () => {
  it('shows the letters that tell it from others, in its own script', () => {
    expect(['Emma', 'The Left Hand of Darkness', 'אלף לילה', '日本 沈没', '1984', 'The', '…'].map(initialsOf)).toEqual([
      'E',
      'LH',
      'אל',
      '日沈',
      '1',
      'T',
      '–',
    ]);
  });

  it('has a colour of its own that stays', () => {
    const hues = ['Emma', 'Dune', 'Middlemarch', 'Piranesi', 'Beloved'].map(hueOf);
    expect(hues).toEqual(['Emma', 'Dune', 'Middlemarch', 'Piranesi', 'Beloved'].map(hueOf));
    expect(new Set(hues).size).toBe(5);
    for (const hue of hues) expect(hue >= 0 && hue < 360).toBe(true);
  });
});
