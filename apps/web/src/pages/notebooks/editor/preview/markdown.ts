import { Marked, type RendererExtension, type Token, type TokenizerExtension } from 'marked';

import { randomKey } from '../../../../lib/random-key.ts';

/** Marks elements that this code creates. The mark is random, so that HTML in a note cannot imitate it. */
const own = randomKey();
export const WIKI_KIND = `wiki-${own}`;
export const TASK_KIND = `task-${own}`;
export const FOOTNOTE_KIND = `footnote-${own}`;
export const TAG_KIND = `tag-${own}`;
export const BLOCK_KIND = `block-${own}`;
export const CALLOUT_KIND = `callout-${own}`;
export const MATH_KIND = `math-${own}`;
export const MATH_BLOCK_KIND = `math-block-${own}`;

/** `[[note]]`, `[[note#heading|text]]`, `![[image.png]]`. */
const WIKI_LINK = /^\[\[(?<target>[^\][|\n]{1,300})(?:\|(?<text>[^\]\n]{1,300}))?\]\]/u;
const EMBED = /^!\[\[(?<target>[^\][|\n]{1,300})(?:\|(?<text>[^\]\n]{1,300}))?\]\]/u;
const IMAGE = /\.(?:avif|bmp|gif|jpe?g|png|svg|webp)$/iu;

/** A footnote reference, `[^1]`. The definition `[^1]: text` continues up to an empty line or the next definition. */
const FOOTNOTE = /^\[\^(?<label>[^\]\s]{1,100})\]/u;
const FOOTNOTE_TEXT =
  /^ {0,3}\[\^(?<label>[^\]\s]{1,100})\]:[ \t]*(?<text>.*(?:\n(?!\s*$| {0,3}\[\^)[^\n]+)*)(?:\n|$)/u;
const FOOTNOTE_START = /^ {0,3}\[\^[^\]\s]+\]:/mu;

const TAG = /^#(?=[\p{N}_/-]*\p{L})(?<tag>[\p{L}\p{N}_][\p{L}\p{N}\p{M}_/-]{0,99})/u;
const TAG_START = /(?<![^\s([{,;:"'!])#(?=[\p{L}\p{N}_])/u;
/** ` ^id` at the end of a line is a target for the link `[[note#^id]]`. */
const BLOCK_ID = /^\s+\^(?<id>[A-Za-z\d-]{1,100})[ \t]*(?=\n|$)/u;
const HIGHLIGHT = /^==(?=\S)(?<text>(?:(?!==)[^\n])*\S)==/u;
/** `> [!tip]- Title` starts a callout. With `-`, it is folded at first; with `+`, it is open and can be folded. */
const CALLOUT =
  /^ {0,3}> ?\[!(?<type>[\w-]{1,50})\](?<fold>[+-]?)[ \t]*(?<title>[^\n]*)(?:\n|$)(?<body>(?: {0,3}>[^\n]*(?:\n|$))*)/u;
const CALLOUT_START = /^ {0,3}> ?\[![\w-]+\]/mu;

/** `$x$`, but not `$5 and $6`: no space inside the dollar signs, and no digit after them. */
const MATH = /^\$(?<text>[^\s$`](?:[^$\n`]{0,998}[^\s$\\`])?)\$(?!\d)/u;
const MATH_BLOCK = /^\$\$(?<text>[\s\S]{1,10000}?)\$\$/u;

/** Deeper nesting is expensive to render and could overflow the stack. */
const DEEPEST = 60;

type Groups = Readonly<Record<string, string | undefined>>;
type Extension = TokenizerExtension & RendererExtension;

/** Returns an inline extension for a pattern without nested Markdown. */
function inline(name: string, start: RegExp, pattern: RegExp, html: (groups: Groups) => string): Extension {
  return {
    name,
    level: 'inline',
    start: (source) => indexOf(source, start),
    tokenizer(source) {
      const found = this.lexer.state.inLink && name === 'tag' ? null : pattern.exec(source);
      return found === null ? undefined : { type: name, raw: found[0], groups: found.groups ?? {} };
    },
    renderer: (token) => html(token['groups'] as Groups),
  };
}

function indexOf(source: string, start: RegExp): number | undefined {
  return start.exec(source)?.index;
}

const highlight: Extension = {
  name: 'highlight',
  level: 'inline',
  start: (source) => indexOf(source, /==/u),
  tokenizer(source) {
    const found = HIGHLIGHT.exec(source);
    if (found === null) return undefined;
    return { type: 'highlight', raw: found[0], tokens: this.lexer.inlineTokens(found.groups?.['text'] ?? '') };
  },
  renderer(token) {
    return `<mark>${this.parser.parseInline(token.tokens ?? [])}</mark>`;
  },
};

const footnoteText: Extension = {
  name: 'footnote-text',
  level: 'block',
  start: (source) => indexOf(source, FOOTNOTE_START),
  tokenizer(source) {
    const found = FOOTNOTE_TEXT.exec(source);
    if (found === null) return undefined;
    const { label = '', text = '' } = found.groups ?? {};
    return { type: 'footnote-text', raw: found[0], label, tokens: this.lexer.inlineTokens(text.trim()) };
  },
  renderer(token) {
    const text = this.parser.parseInline(token.tokens ?? []);
    return `<div data-kind="${FOOTNOTE_KIND}"><sup>${escaped(String(token['label']))}</sup> ${text}</div>\n`;
  },
};

const commentBlock: Extension = {
  name: 'comment-block',
  level: 'block',
  start: (source) => indexOf(source, /^%%/mu),
  tokenizer(source) {
    const found = /^%%[\s\S]*?%%[ \t]*(?:\n+|$)/u.exec(source);
    return found === null ? undefined : { type: 'comment-block', raw: found[0] };
  },
  renderer: () => '',
};

const callout: Extension = {
  name: 'callout',
  level: 'block',
  start: (source) => indexOf(source, CALLOUT_START),
  tokenizer(source) {
    const found = CALLOUT.exec(source);
    if (found === null) return undefined;
    const { type = '', fold = '', title = '', body = '' } = found.groups ?? {};
    const named = title.trim() === '' ? type.charAt(0).toUpperCase() + type.slice(1) : title.trim();
    const heading = this.lexer.inlineTokens(named);
    const tokens = this.lexer.blockTokens(body.replaceAll(/^ {0,3}> ?/gmu, ''), []);
    return { type: 'callout', raw: found[0], kind: type.toLowerCase(), fold, heading, tokens };
  },
  renderer(token) {
    const { kind, fold, heading } = token as unknown as { kind: string; fold: string; heading: Token[] };
    const [outer, inner] = fold === '' ? ['div', 'p'] : ['details', 'summary'];
    const title = `<${inner}><strong>${this.parser.parseInline(heading)}</strong></${inner}>`;
    const open = fold === '+' ? ' open' : '';
    const body = this.parser.parse(token.tokens ?? []);
    return `<${outer} data-kind="${CALLOUT_KIND}" title="${escaped(kind)}"${open}>${title}\n${body}</${outer}>\n`;
  },
};

function wikiLink({ target = '', text = target }: Groups): string {
  return `<a data-kind="${WIKI_KIND}" title="${escaped(target.trim())}">${escaped(text.trim())}</a>`;
}

/** The element shows its source until the formula is rendered. */
function math(kind: string, text: string): string {
  return `<span data-kind="${kind}">${escaped(text.trim())}</span>`;
}

/** A number after the bar is the width of an image, which the page ignores. Other text is the alternative text. */
function embed(groups: Groups): string {
  const target = (groups['target'] ?? '').trim();
  if (!IMAGE.test(target)) return wikiLink(groups);
  const { text = target } = groups;
  const alt = /^\d+(?:x\d+)?$/u.test(text.trim()) ? target : text.trim();
  return `<img data-kind="${WIKI_KIND}" title="${escaped(target)}" alt="${escaped(alt)}">`;
}

/** GitHub's Markdown with Obsidian's extensions. */
const marked = new Marked({ gfm: true, async: false }).use({
  extensions: [
    inline('math-block', /\$\$/u, MATH_BLOCK, ({ text = '' }) => math(MATH_BLOCK_KIND, text)),
    inline('math', /\$/u, MATH, ({ text = '' }) => math(MATH_KIND, text)),
    inline('embed', /!\[\[/u, EMBED, embed),
    inline('wiki-link', /\[\[/u, WIKI_LINK, wikiLink),
    inline(
      'footnote',
      /\[\^/u,
      FOOTNOTE,
      ({ label = '' }) => `<sup><a data-kind="${FOOTNOTE_KIND}" href="#">${escaped(label)}</a></sup>`,
    ),
    inline('comment', /%%/u, /^%%[\s\S]*?%%/u, () => ''),
    inline('tag', TAG_START, TAG, ({ tag = '' }) => `<a data-kind="${TAG_KIND}">#${escaped(tag)}</a>`),
    inline(
      'block-id',
      /\s+\^[A-Za-z\d-]+[ \t]*(?=\n|$)/u,
      BLOCK_ID,
      ({ id = '' }) => `<span data-kind="${BLOCK_KIND}" title="${escaped(id)}"></span>`,
    ),
    highlight,
    footnoteText,
    commentBlock,
    callout,
  ],
  renderer: {
    html: ({ text }) => withoutHandlers(text),
    checkbox: ({ checked }) => `<input type="checkbox" data-kind="${TASK_KIND}"${checked ? ' checked' : ''}> `,
    code: ({ text, lang }) =>
      `<pre title="${escaped((lang ?? '').split(/\s/u, 1)[0] ?? '')}"><code>${escaped(text)}</code></pre>`,
  },
});

/** Returns HTML that must be sanitised before it is used. */
export function renderMarkdown(text: string): string {
  return marked.parse(limitDepth(text), { async: false });
}

/**
 * While parsing, browsers report violations of the content security policy for event handlers and inline styles,
 * although the sanitiser removes both later. Disabling both before parsing avoids these false reports.
 */
function withoutHandlers(html: string): string {
  return html
    .replaceAll(/<style\b[\s\S]*?(?:<\/style\s*>|$)|<base\b[^>]*>?/giu, '')
    .replaceAll(/<[a-z][^>]*>?/giu, (tag) => tag.replaceAll(/([\s"'/])(?:on\w+|style)(?=\s*=)/giu, '$1data-off'));
}

function limitDepth(text: string): string {
  if (!/^(?:[ \t]*[>*+-]){60}/mu.test(text)) return text;
  return text.replaceAll(/^(?:[ \t]*[>*+-]){60,}/gmu, (marks) => marks.replaceAll(/\s/gu, '').slice(0, DEEPEST));
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
