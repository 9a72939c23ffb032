import { LanguageDescription } from '@codemirror/language';
import { languages } from '@codemirror/language-data';
import { classHighlighter, highlightCode } from '@lezer/highlight';
import createPurifier, { type Config } from 'dompurify';
import { Marked } from 'marked';

import { randomKey } from '../../../../lib/random-key.ts';
import { linkTarget, type LinkTarget, resolvePath } from './link-target.ts';

/** Marks elements that this code creates. Random, so that HTML in a note cannot imitate the mark. */
const own = randomKey();
const WIKI_KIND = `wiki-${own}`;
const TASK_KIND = `task-${own}`;

/** `[[note]]` or `[[note#heading|text]]`: links to a note by its name. */
const WIKI_LINK = /^\[\[(?<target>[^\][|\n]{1,300})(?:\|(?<text>[^\]\n]{1,300}))?\]\]/u;

/** Deeper nesting is expensive to render and could overflow the stack. */
const DEEPEST = 60;

const marked = new Marked({ gfm: true, async: false }).use({
  extensions: [
    {
      name: 'wiki-link',
      level: 'inline',
      start: (source) => source.indexOf('[['),
      tokenizer(source) {
        const found = WIKI_LINK.exec(source);
        if (found === null) return undefined;
        const { target = '', text = target } = found.groups ?? {};
        return { type: 'wiki-link', raw: found[0], target: target.trim(), text: text.trim() };
      },
      renderer: (token) =>
        `<a data-kind="${WIKI_KIND}" title="${escaped(String(token['target']))}">${escaped(String(token['text']))}</a>`,
    },
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
 * although the sanitiser removes them later. Disabling them first avoids these false reports.
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

const TAGS =
  'a abbr b blockquote br caption cite code dd del details dfn div dl dt em figcaption figure h1 h2 h3 ' +
  'h4 h5 h6 hr i img input ins kbd li mark ol p pre q rp rt ruby s samp small span strong sub summary ' +
  'sup table tbody td tfoot th thead tr u ul var wbr';

/**
 * Everything that a note may insert into the page. Ids and names are excluded, because they could shadow elements that
 * our scripts look up. Styles, forms, frames, media and SVG are excluded, too.
 */
const CONFIG = {
  ALLOWED_TAGS: TAGS.split(' '),
  ALLOWED_ATTR: ['align', 'alt', 'checked', 'colspan', 'data-kind', 'href', 'rowspan', 'src', 'start', 'title', 'type'],
  ALLOW_ARIA_ATTR: false,
  ALLOW_DATA_ATTR: false,
  KEEP_CONTENT: true,
  SANITIZE_DOM: true,
  RETURN_DOM_FRAGMENT: true as const,
  RETURN_TRUSTED_TYPE: false,
} satisfies Config;

const purifier = createPurifier(window);

/** Returns nodes of a separate document, so that nothing is loaded before links and image addresses are rewritten. */
export function sanitise(html: string): DocumentFragment {
  return purifier.sanitize(html, CONFIG);
}

export interface PreviewContext {
  readonly notebookId: string;
  readonly notePath: string;
  readonly imageUrl: (path: string) => Promise<string | undefined>;
}

const LABEL_LENGTH = 80;
const BLOCKS = 'p, h1, h2, h3, h4, h5, h6, li, blockquote, td, th, dt, dd, summary, figcaption';

/** Rewrites all links of sanitised nodes and adds our own elements, before the nodes are inserted into the page. */
export function finishPiece(piece: DocumentFragment, place: PreviewContext): DocumentFragment {
  for (const link of piece.querySelectorAll('a')) finishLink(link, place);
  for (const image of piece.querySelectorAll('img')) finishImage(image, place);
  for (const table of piece.querySelectorAll('table')) makeScrollable(table);
  for (const block of piece.querySelectorAll(BLOCKS)) block.setAttribute('dir', 'auto');
  for (const code of piece.querySelectorAll<HTMLElement>('pre > code')) finishCode(code);
  for (const heading of piece.querySelectorAll('h1, h2, h3, h4, h5, h6')) finishHeading(heading);
  for (const box of piece.querySelectorAll('input')) finishBox(box);
  return document.importNode(piece, true);
}

/** Keeps task checkboxes and removes other inputs, which could imitate a form of the page. */
function finishBox(box: HTMLInputElement): void {
  if (box.getAttribute('data-kind') !== TASK_KIND) return box.remove();
  const label = (box.parentElement?.textContent ?? '').trim();
  box.type = 'checkbox';
  box.removeAttribute('data-kind');
  box.className = 'note-task';
  box.setAttribute('aria-label', label.slice(0, LABEL_LENGTH) || 'Task');
  box.closest('li')?.classList.add('note-task-item');
}

/** Marks a heading as a link target, without an id, which could clash with an id of the page. */
function finishHeading(heading: Element): void {
  heading.setAttribute('data-heading', (heading.textContent ?? '').trim());
}

function finishLink(link: HTMLAnchorElement, { notebookId, notePath }: PreviewContext): void {
  const href = link.getAttribute('href') ?? '';
  const isWiki = link.getAttribute('data-kind') === WIKI_KIND;
  const target = isWiki ? wikiTarget(link.title) : linkTarget(href, notePath);
  if (isWiki) link.removeAttribute('title');
  link.removeAttribute('href');
  link.removeAttribute('data-kind');
  if (target.kind === 'outside') {
    link.href = target.url;
    link.target = '_blank';
    link.rel = 'noopener noreferrer';
  } else if (target.kind === 'heading') {
    link.setAttribute('href', '#');
    link.dataset['heading'] = target.name;
  } else if (target.kind === 'file') {
    link.setAttribute('href', `/notebooks/${encodeURIComponent(notebookId)}`);
    link.dataset['path'] = target.path;
    if (isWiki) link.dataset['wiki'] = 'true';
  }
}

/** Resolves a wiki link from the root of the notebook. */
function wikiTarget(text: string): LinkTarget {
  const [path = '', heading = ''] = text.split('#', 2);
  if (path.trim() === '') return { kind: 'heading', name: heading };
  const resolved = resolvePath(`/${path.trim()}`, '');
  return resolved === undefined ? { kind: 'nothing' } : { kind: 'file', path: resolved, heading };
}

/** Shows only images of the notebook. Loading others would tell another server who reads the note, and when. */
function finishImage(image: HTMLImageElement, { notePath }: PreviewContext): void {
  const source = image.getAttribute('src') ?? '';
  const target = linkTarget(source, notePath);
  const shown = document.createElement('span');
  shown.className = 'note-image';
  shown.textContent = image.alt === '' ? 'Image' : image.alt;
  if (target.kind === 'file') {
    shown.dataset['image'] = target.path;
    shown.dataset['alt'] = image.alt;
  } else if (target.kind === 'outside' && target.url.startsWith('http')) {
    const link = document.createElement('a');
    link.href = target.url;
    link.target = '_blank';
    link.rel = 'noopener noreferrer';
    link.textContent = `${image.alt === '' ? 'Image' : image.alt} (external)`;
    shown.replaceChildren(link);
  }
  image.replaceWith(shown);
}

function makeScrollable(table: HTMLTableElement): void {
  const around = document.createElement('div');
  around.className = 'note-table';
  around.tabIndex = 0;
  around.setAttribute('role', 'region');
  around.setAttribute('aria-label', 'Table');
  table.replaceWith(around);
  around.append(table);
}

function finishCode(code: HTMLElement): void {
  const block = code.parentElement;
  const name = block?.getAttribute('title') ?? '';
  block?.removeAttribute('title');
  block?.setAttribute('tabindex', '0');
  if (name !== '') code.dataset['language'] = name;
}

/** Loads images and highlights code. Call this after the nodes have been inserted into the page. */
export function loadImagesAndHighlight(root: ParentNode, { imageUrl }: PreviewContext): void {
  for (const code of root.querySelectorAll<HTMLElement>('code[data-language]')) {
    const name = code.dataset['language'] ?? '';
    delete code.dataset['language'];
    void highlightBlock(code, name).catch(() => undefined);
  }
  for (const place of root.querySelectorAll<HTMLElement>('[data-image]')) {
    const path = place.dataset['image'] ?? '';
    delete place.dataset['image'];
    void imageUrl(path).then((url) => showImage(place, url));
  }
}

function showImage(place: HTMLElement, url: string | undefined): void {
  if (url === undefined) return place.classList.add('note-image-missing');
  const image = document.createElement('img');
  image.alt = place.dataset['alt'] ?? '';
  image.loading = 'lazy';
  image.src = url;
  place.replaceChildren(image);
}

/** Longer code is not highlighted. */
const LONGEST = 50_000;

async function highlightBlock(code: HTMLElement, name: string): Promise<void> {
  const text = code.textContent ?? '';
  const description = name === '' ? null : LanguageDescription.matchLanguageName(languages, name, true);
  if (description === null || text.length > LONGEST) return;
  const { language } = await description.load();
  const nodes: Node[] = [];
  highlightCode(
    text,
    language.parser.parse(text),
    classHighlighter,
    (part, classes) => nodes.push(classes === '' ? document.createTextNode(part) : highlighted(part, classes)),
    () => nodes.push(document.createTextNode('\n')),
  );
  code.replaceChildren(...nodes);
}

function highlighted(text: string, classes: string): HTMLElement {
  const span = document.createElement('span');
  span.className = classes;
  span.textContent = text;
  return span;
}
