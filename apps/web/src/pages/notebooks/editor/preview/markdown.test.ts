import { expect, it } from 'vitest';

import { BLOCK_KIND, CALLOUT_KIND, FOOTNOTE_KIND, MATH_BLOCK_KIND, MATH_KIND } from './markdown.ts';
import { renderMarkdown, TAG_KIND, WIKI_KIND } from './markdown.ts';

it('shows footnotes as footnotes, not as links to notes', () => {
  const html = renderMarkdown(
    'Water boils.[^1] Here too.[^a b] See [^note].\n[^1]: At **100** °C\n  or less.\n[^note]: x\n\nEnd',
  );
  expect(html).toBe(
    [
      `<p>Water boils.<sup><a data-kind="${FOOTNOTE_KIND}" href="#">1</a></sup> Here too.[^a b]`,
      ` See <sup><a data-kind="${FOOTNOTE_KIND}" href="#">note</a></sup>.</p>\n`,
      `<div data-kind="${FOOTNOTE_KIND}"><sup>1</sup> At <strong>100</strong> °C\n  or less.</div>\n`,
      `<div data-kind="${FOOTNOTE_KIND}"><sup>note</sup> x</div>\n`,
      '<p>End</p>\n',
    ].join(''),
  );
  expect(renderMarkdown('a[^<script>]\n\n[^"><script>]: b')).not.toMatch(/<script/u);
});

it.each([
  ['==yes **bold**== a == b', '<p><mark>yes <strong>bold</strong></mark> a == b</p>\n'],
  ['a %%hidden%% b `%%code%%`', '<p>a  b <code>%%code%%</code></p>\n'],
  ['a\n\n%%\nhidden\n\n# x\n%%\n\nb', '<p>a</p>\n<p>b</p>\n'],
  ['![[d/p.png|300]]', `<p><img data-kind="${WIKI_KIND}" title="d/p.png" alt="d/p.png"></p>\n`],
  ['![[note#^x|shown]]', `<p><a data-kind="${WIKI_KIND}" title="note#^x">shown</a></p>\n`],
  [
    '#a/b (#c) x#no #12 `#code`',
    `<p><a data-kind="${TAG_KIND}">#a/b</a> (<a data-kind="${TAG_KIND}">#c</a>) x#no #12 <code>#code</code></p>\n`,
  ],
  ['[a #b](c.md)', '<p><a href="c.md">a #b</a></p>\n'],
  ['Line ^id-1\nx ^ 2', `<p>Line<span data-kind="${BLOCK_KIND}" title="id-1"></span>\nx ^ 2</p>\n`],
  [
    '> [!Tip] Do *it*\n> text\n\nafter',
    `<div data-kind="${CALLOUT_KIND}" title="tip"><p><strong>Do <em>it</em></strong></p>\n<p>text</p>\n</div>\n<p>after</p>\n`,
  ],
  [
    '> [!faq]-\n> > [!note]+ in\n> > x',
    `<details data-kind="${CALLOUT_KIND}" title="faq"><summary><strong>Faq</strong></summary>\n<details data-kind="${CALLOUT_KIND}" title="note" open><summary><strong>in</strong></summary>\n<p>x</p>\n</details>\n</details>\n`,
  ],
  ['a $x_1^2$ b', `<p>a <span data-kind="${MATH_KIND}">x_1^2</span> b</p>\n`],
  ['$$\n\\frac{a}{b} < c\n$$', `<p><span data-kind="${MATH_BLOCK_KIND}">\\frac{a}{b} &lt; c</span></p>\n`],
  ['$5 and $6, `$x$`', '<p>$5 and $6, <code>$x$</code></p>\n'],
  ['> no callout', '<blockquote>\n<p>no callout</p>\n</blockquote>\n'],
])('shows %j as Obsidian does', (text, html) => {
  expect(renderMarkdown(text)).toBe(html);
});

it('renders a hostile note without getting stuck', () => {
  for (const hostile of ['%%', '==a', '![[', '> [!x]\n', '#', ' ^a', '[^', '[^1]: ', '$', '$$', '$a']) {
    expect(renderMarkdown(`${hostile.repeat(3_000)}\n\nEnd`)).toContain('End');
  }
});
