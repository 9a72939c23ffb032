import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { emptyLog, withPieces } from './log-lines.ts';

describe('a log', () => {
  it('has the same lines however it was cut into pieces', () => {
    const text = 'one\n\ntwo words\nthree';
    fc.assert(
      fc.property(fc.array(fc.nat(text.length)), (cuts) => {
        const places = [0, ...cuts.toSorted((left, right) => left - right), text.length];
        const pieces = places
          .slice(1)
          .map((end, at) => ({ iteration: 1, offset: end, text: text.slice(places[at], end) }))
          .filter((piece) => piece.text !== '');
        const log = pieces.reduce((known, piece) => withPieces(known, [piece]), emptyLog);
        expect(log.lines.map((line) => line.text)).toEqual(['one', '', 'two words', 'three']);
        expect(log.isOpen).toBe(true);
      }),
    );
  });

  it('begins a new line with a new turn, and lets go of the oldest', () => {
    const log = withPieces(emptyLog, [
      { iteration: 1, offset: 3, text: 'cut' },
      { iteration: 2, offset: 9, text: 'new\nlast\n' },
    ]);
    expect(log.lines).toEqual([
      { iteration: 1, text: 'cut' },
      { iteration: 2, text: 'new' },
      { iteration: 2, text: 'last' },
    ]);
    expect(withPieces(log, [], 1)).toEqual({ lines: [{ iteration: 2, text: 'last' }], isOpen: false, dropped: 2 });
  });
});
