import { expect, it } from 'vitest';

import { webLinks } from './web-links.ts';

const urls = (text: string) => webLinks(text).flatMap(({ url }) => (url === undefined ? [] : [url]));

it('finds web addresses and leaves the punctuation around them to the sentence', () => {
  expect(webLinks('See https://example.org/a?b=c#d, then go.')).toEqual([
    { text: 'See ' },
    { text: 'https://example.org/a?b=c#d', url: 'https://example.org/a?b=c#d' },
    { text: ', then go.' },
  ]);
  expect(urls('(https://example.org/x_(y)) http://localhost:1/!')).toEqual([
    'https://example.org/x_(y)',
    'http://localhost:1/',
  ]);
});

it('finds nothing that a browser could run, and keeps the whole text', () => {
  const text = 'javascript:alert(1) data:text/html,x http:// ftp://example.org "https://a.example" <https://b.example>';
  expect(urls(text)).toEqual(['https://a.example', 'https://b.example']);
  expect(
    webLinks(text)
      .map((part) => part.text)
      .join(''),
  ).toBe(text);
});
