import { describe, expect, it } from 'vitest';

import { parseJson, prettyJson } from './json.ts';

describe('reading stored JSON', () => {
  it('keeps numbers as they were written', () => {
    expect(prettyJson('{"id":12345678901234567890,"at":1.10,"list":[1e400,-0]}')).toBe(
      '{\n  "id": 12345678901234567890,\n  "at": 1.10,\n  "list": [\n    1e400,\n    -0\n  ]\n}',
    );
  });

  it('gives back text that means the same', () => {
    const text = '{"a":{"b":[true,null,"x\\n\\"\\u0041 ]},"]},"":{},"c":[]}';
    expect(JSON.parse(prettyJson(text))).toEqual(JSON.parse(text));
  });

  it('leaves alone what is not JSON, and what is too deep for a tree', () => {
    expect(parseJson('{"a":')).toBeUndefined();
    expect(prettyJson('plain text')).toBe('plain text');
    expect(parseJson('['.repeat(100) + ']'.repeat(100))).toBeUndefined();
  });
});
