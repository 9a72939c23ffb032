import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { eventParser, type LiveEvent } from './parse-events.ts';

const stream = 'retry: 1000\nid: np.1\n\n: \n\nid: np.2\nevent: commit\ndata: {"a":"x: y"}\n\nid: np.3\n\n';

function parse(pieces: readonly string[]): readonly LiveEvent[] {
  const events: LiveEvent[] = [];
  const read = eventParser((event) => events.push(event));
  for (const piece of pieces) read(piece);
  return events;
}

describe('an event stream', () => {
  it('is read with its positions; one without data only moves the position', () => {
    expect(parse([stream])).toEqual([
      { id: 'np.1', event: 'message', data: '' },
      { id: undefined, event: 'message', data: '' },
      { id: 'np.2', event: 'commit', data: '{"a":"x: y"}' },
      { id: 'np.3', event: 'message', data: '' },
    ]);
  });

  it('means the same however the network cuts it', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(stream.length)), (cuts) => {
        const places = [0, ...cuts.toSorted((left, right) => left - right), stream.length];
        const pieces = places.slice(1).map((end, at) => stream.slice(places[at], end));
        expect(parse(pieces)).toEqual(parse([stream]));
      }),
    );
  });
});
