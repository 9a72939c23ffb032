import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { compareKeys, prefixSuccessor } from './order.ts';
import { Template } from './template.ts';
import { decodeText, encodeText, TEXT_BYTES_MAX } from './escape.ts';

const utf8Order = (left: string, right: string): number =>
  Math.sign(Buffer.compare(Buffer.from(left), Buffer.from(right)));

/** Delimiters, escapes, controls, all planes, long text. */
const hostileText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({
    unit: fc.constantFrom('/', ':', '%', '~', '.', '-', 'a', '0', '2F', '\n', '\u0000', '日', '😀'),
    maxLength: 30,
  }),
  fc.string({ unit: 'grapheme', minLength: 100, maxLength: 400 }),
);

describe('text in keys', () => {
  it('reads back as it was, unless it was too long to keep', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const decoded = decodeText(encodeText(text));
        if (decoded === undefined) expect(Buffer.byteLength(text)).toBeGreaterThan(TEXT_BYTES_MAX / 3);
        else expect(decoded).toBe(text);
      }),
    );
  });

  it('never contains a delimiter or a control character, and is bounded', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const encoded = encodeText(text);
        // oxlint-disable-next-line no-control-regex -- that there are none is the point
        expect(encoded).not.toMatch(/[/:\u0000-\u001f\u007f]/);
        expect(encoded).not.toBe('');
        expect(Buffer.byteLength(encoded)).toBeLessThanOrEqual(TEXT_BYTES_MAX);
      }),
    );
  });

  it('differs for different texts, also when they are shortened', () => {
    fc.assert(
      fc.property(hostileText, hostileText, (left, right) => {
        fc.pre(left !== right);
        expect(encodeText(left)).not.toBe(encodeText(right));
      }),
    );
    const long = 'x'.repeat(500);
    expect(encodeText(`${long}a`)).not.toBe(encodeText(`${long}b`));
    expect(encodeText(encodeText(long))).not.toBe(encodeText(long));
  });

  it('stays readable: ids, words and most of Unicode are left alone', () => {
    for (const text of ['01JP0000000000000000000000', 'Ship patch', 'v1.2-rc', '日本語', 'emoji 😀', 'a*b>c']) {
      expect(encodeText(text)).toBe(text);
    }
    expect(encodeText('a/b:c%')).toBe('a%2Fb%3Ac%25');
    expect(encodeText('')).toBe('%_');
  });

  it('refuses half of a surrogate pair, which no database can store', () => {
    expect(() => encodeText('a\ud800b')).toThrow(expect.objectContaining({ code: 'KEY_INVALID' }));
    expect(() => encodeText('\udc00')).toThrow(expect.objectContaining({ code: 'KEY_INVALID' }));
  });
});

describe('templates', () => {
  const template = new Template('log/{name}/{seq}:{ts}/{rank:d6}:{title}');
  const key = fc.record({
    name: hostileText,
    seq: fc.nat({ max: Number.MAX_SAFE_INTEGER }),
    ts: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    rank: fc.nat({ max: 999_999 }),
    title: hostileText,
  });
  const isKeptWhole = (text: string): boolean => decodeText(encodeText(text)) !== undefined;

  it('read back what they were given', () => {
    fc.assert(
      fc.property(key, (values) => {
        fc.pre(isKeptWhole(values.name) && isKeptWhole(values.title));
        expect(template.decode(template.encode(values))).toEqual(values);
      }),
    );
  });

  it('order keys by bytes exactly as the values are ordered', () => {
    const compare = (left: string, right: string): number => utf8Order(encodeText(left), encodeText(right));
    fc.assert(
      fc.property(key, key, (left, right) => {
        const sameName = { ...right, name: left.name };
        const expected =
          Math.sign(left.seq - sameName.seq) ||
          (left.ts === sameName.ts ? 0 : left.ts < sameName.ts ? -1 : 1) ||
          Math.sign(left.rank - sameName.rank) ||
          compare(left.title, sameName.title);
        expect(utf8Order(template.encode(left), template.encode(sameName))).toBe(expected);
      }),
    );
  });

  it('put into a range all keys with these leading values and no others', () => {
    fc.assert(
      fc.property(key, key, (left, right) => {
        const { gte, lt } = template.range({ name: left.name });
        const isInside = (encoded: string): boolean => compareKeys(encoded, gte) >= 0 && compareKeys(encoded, lt) < 0;
        expect(isInside(template.encode(left))).toBe(true);
        expect(isInside(template.encode(right))).toBe(encodeText(left.name) === encodeText(right.name));
      }),
    );
  });

  it('may have any punctuation between their placeholders', () => {
    const odd = new Template('my-app.v1/{id}/a+b');
    expect(odd.decode(odd.encode({ id: 'x-1' }))).toEqual({ id: 'x-1' });
  });

  it('do not take one another for their own', () => {
    expect(new Template('s/{sid}/meta').decode('s/1/meta/evt_seq')).toBeUndefined();
    expect(new Template('b:{id}').decode('b:duration_map:1')).toBeUndefined();
    expect(new Template('s/{sid}/evt/{seq}').decode('s/1/evt/xyz')).toBeUndefined();
  });

  it('need every leading part, in its kind', () => {
    const simple = new Template('s/{sid}/task/{id}');
    const invalid = expect.objectContaining({ code: 'KEY_INVALID' });
    expect(() => simple.encode({ sid: '1' })).toThrow(invalid);
    expect(() => simple.range({ id: '1' })).toThrow(invalid);
    expect(() => new Template('a/{n:d3}').encode({ n: 1000 })).toThrow(invalid);
    expect(() => new Template('a/{seq}').encode({ seq: -1 })).toThrow(invalid);
    expect(() => new Template('a/{ts}').encode({ ts: 5 })).toThrow(invalid);
    expect(() => simple.encode({ sid: 5, id: 'x' })).toThrow(invalid);
  });

  it('are refused when they cannot be taken apart again', () => {
    for (const source of ['a{x}{y}', 'a/{x}b', 'a/{x', 'a/{x}/{x}', 'a/{x:q7}', 'a%/{x}']) {
      expect(() => new Template(source), source).toThrow(TypeError);
    }
  });
});

describe('key order', () => {
  it('is the order of UTF-8 bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (left, right) => {
        expect(Math.sign(compareKeys(left, right))).toBe(utf8Order(left, right));
      }),
    );
  });

  it('has a successor of a prefix above everything with that prefix and below everything else', () => {
    const prefixes = fc.constantFrom('a/', 'a:', 's/1/', 'idx:book:', 'é', 'zz');
    fc.assert(
      fc.property(prefixes, fc.string({ unit: 'binary' }), (prefix, rest) => {
        expect(compareKeys(prefix + rest, prefixSuccessor(prefix))).toBeLessThan(0);
        fc.pre(!rest.startsWith(prefix) && compareKeys(rest, prefix) > 0);
        expect(compareKeys(rest, prefixSuccessor(prefix))).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
