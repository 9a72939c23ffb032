import fc from 'fast-check';
import { expect, it } from 'vitest';

import { readXml } from './sidecar.ts';
import { xml, xmlDocument } from '../http/feed-documents.ts';

const HOSTILE = [
  '<script>alert(1)</script>',
  '"><x y="',
  ']]>',
  '<![CDATA[',
  '&amp;',
  '&#0;',
  '<!--',
  '\0\u0007\u001b[31m',
  '\ud800 alone',
  '\ufffe',
  'a\r\nb\tc',
];

/** The text that survives a round trip through XML, with attribute white space normalised. */
function held(text: string): string {
  return text
    .replaceAll(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/gu, '')
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll(/[\t\n\r]/gu, ' ');
}

it('whatever is put into a document comes out as the same text, without what XML cannot hold', () => {
  const check = (text: string): void => {
    const written = xmlDocument(xml('a', { b: text }, xml('c', {}, text), undefined, xml('d')));
    const [c, d, a, ...more] = readXml(written);
    expect(more).toEqual([]);
    expect([a?.name, c?.name, d?.name]).toEqual(['a', 'c', 'd']);
    expect(a?.attributes['b']).toBe(held(text));
    expect(c?.text).toBe(held(text).trim());
    // The document's own markup has five or six `<`; the text must not add any.
    expect(written.match(/</gu)).toHaveLength(held(text) === '' ? 5 : 6);
    expect(written).not.toMatch(/&(?!(?:amp|lt|gt|quot|apos|#9|#10|#13);)/u);
  };
  for (const text of HOSTILE) check(text);
  // Includes lone surrogates.
  const anything = fc.array(fc.integer({ min: 0, max: 0xffff })).map((codes) => String.fromCharCode(...codes));
  fc.assert(fc.property(anything, check), { numRuns: 100 });
});
