import { describe, expect, it } from 'vitest';

import type { ListedPlaylist } from '../../../api/types.ts';
import { choicesFor } from './playlist-choices.ts';

function playlist(name: string, change: Partial<ListedPlaylist> = {}): ListedPlaylist {
  const at = '2026-01-01T00:00:00.000Z';
  return {
    id: name,
    name,
    kind: 'manual',
    shared: false,
    query: null,
    created_at: at,
    updated_at: at,
    revision: 0,
    has_book: false,
    ...change,
  };
}

const all = [
  playlist('For the road'),
  playlist('Evening', { updated_at: '2026-02-01T00:00:00.000Z', has_book: true }),
  playlist('By a question', { kind: 'smart' }),
  playlist('Of everybody', { shared: true }),
];
const shown = (text: string, mayEdit = true): readonly string[] =>
  choicesFor(all, text, mayEdit).map((choice) =>
    choice.kind === 'new' ? `new ${choice.name}` : `${choice.kind} ${choice.playlist.name}`,
  );

describe('where a book can be put', () => {
  it('is in lists that one may change, the last changed first', () => {
    expect(shown('')).toEqual(['there Evening', 'add For the road', 'add Of everybody']);
    expect(shown('', false)).toEqual(['there Evening', 'add For the road']);
  });

  it('is found by parts of a name, and made if nothing has that name', () => {
    expect(shown(' ROAD for ')).toEqual(['add For the road', 'new ROAD for']);
    expect(shown('evening')).toEqual(['there Evening']);
    expect(shown('Even')).toEqual(['there Evening', 'new Even']);
  });
});
