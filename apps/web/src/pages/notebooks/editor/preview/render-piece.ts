import { LanguageDescription } from '@codemirror/language';
import { languages } from '@codemirror/language-data';
import { classHighlighter, highlightCode } from '@lezer/highlight';
import createPurifier, { type Config } from 'dompurify';

import { linksQuery } from '../../../../api/queries.ts';
import { queryClient } from '../../../../api/query-client.ts';
import { renderDiagram } from './diagram.ts';
import { linkTarget, type LinkTarget } from './link-target.ts';
import { BLOCK_KIND, CALLOUT_KIND, FOOTNOTE_KIND, MATH_BLOCK_KIND, MATH_KIND } from './markdown.ts';
import { TAG_KIND, TASK_KIND, WIKI_KIND } from './markdown.ts';
import { renderMath } from './math.ts';

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
  ALLOWED_ATTR: [
    'align',
    'alt',
    'checked',
    'colspan',
    'data-kind',
    'href',
    'open',
    'rowspan',
    'src',
    'start',
    'title',
    'type',
  ],
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
  readonly imageUrl: (target: string, isWiki: boolean) => Promise<string | undefined>;
}

const LABEL_LENGTH = 80;
const BLOCKS = 'p, h1, h2, h3, h4, h5, h6, li, blockquote, td, th, dt, dd, summary, figcaption';

/** Rewrites all links in sanitised nodes and adds our own elements, before the nodes are inserted into the page. */
export function finishPiece(piece: DocumentFragment, place: PreviewContext): DocumentFragment {
  for (const link of piece.querySelectorAll('a')) finishLink(link, place);
  for (const image of piece.querySelectorAll('img')) finishImage(image, place);
  for (const table of piece.querySelectorAll('table')) makeScrollable(table);
  for (const block of piece.querySelectorAll(BLOCKS)) block.setAttribute('dir', 'auto');
  for (const code of piece.querySelectorAll<HTMLElement>('pre > code')) finishCode(code);
  for (const heading of piece.querySelectorAll('h1, h2, h3, h4, h5, h6')) finishHeading(heading);
  for (const box of piece.querySelectorAll('input')) finishBox(box);
  for (const note of piece.querySelectorAll(`div[data-kind="${FOOTNOTE_KIND}"]`)) finishFootnote(note);
  for (const callout of piece.querySelectorAll(`[data-kind="${CALLOUT_KIND}"]`)) finishMarked(callout, 'callout');
  for (const block of piece.querySelectorAll(`[data-kind="${BLOCK_KIND}"]`)) finishMarked(block, 'block');
  for (const kind of [MATH_KIND, MATH_BLOCK_KIND]) {
    for (const formula of piece.querySelectorAll(`span[data-kind="${kind}"]`)) finishMath(formula, kind);
  }
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

/** For an element that this code created, moves the title into a data attribute. */
function finishMarked(element: Element, name: 'callout' | 'block'): void {
  element.setAttribute(`data-${name}`, element.getAttribute('title') ?? '');
  element.removeAttribute('title');
  element.removeAttribute('data-kind');
  element.className = `note-${name}`;
}

/** The class tells `renderMath` what to render; a note cannot set classes. */
function finishMath(formula: Element, kind: string): void {
  formula.removeAttribute('data-kind');
  formula.className = kind === MATH_BLOCK_KIND ? 'note-math note-math-block' : 'note-math';
}

/** Marks a footnote as the target of its references. */
function finishFootnote(note: Element): void {
  note.removeAttribute('data-kind');
  note.setAttribute('data-footnote', note.querySelector('sup')?.textContent ?? '');
  note.className = 'note-footnote';
}

/** Marks a heading as a link target. Does not set an id, because it could clash with an id of the page. */
function finishHeading(heading: Element): void {
  heading.setAttribute('data-heading', (heading.textContent ?? '').trim());
}

function finishLink(link: HTMLAnchorElement, { notebookId, notePath }: PreviewContext): void {
  const href = link.getAttribute('href') ?? '';
  const kind = link.getAttribute('data-kind');
  const isWiki = kind === WIKI_KIND;
  if (kind === FOOTNOTE_KIND) link.dataset['footnote'] = link.textContent ?? '';
  if (kind === TAG_KIND) return finishTag(link, notebookId);
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
    link.dataset['path'] = isWiki ? target.path : `/${target.path}`;
    if (isWiki) link.dataset['wiki'] = 'true';
  }
}

function finishTag(link: HTMLAnchorElement, notebookId: string): void {
  const tag = (link.textContent ?? '').slice(1);
  link.removeAttribute('data-kind');
  link.href = `/notebooks/${encodeURIComponent(notebookId)}/search?tag=${encodeURIComponent(tag)}`;
  link.dataset['tag'] = tag;
}

/** Splits a wiki link into path and heading. The server finds the note, which may be anywhere in the notebook. */
function wikiTarget(text: string): LinkTarget {
  const [path = '', ...headings] = text.split('#');
  const heading = headings.at(-1) ?? '';
  return path.trim() === '' ? { kind: 'heading', name: heading } : { kind: 'file', path: path.trim(), heading };
}

/**
 * Shows only images in the notebook. Loading images from another server would tell that server who reads the note, and
 * when.
 */
function finishImage(image: HTMLImageElement, { notePath }: PreviewContext): void {
  const source = image.getAttribute('src') ?? '';
  const isWiki = image.getAttribute('data-kind') === WIKI_KIND;
  const target = isWiki ? wikiTarget(image.title) : linkTarget(source, notePath);
  const shown = document.createElement('span');
  shown.className = 'note-image';
  shown.textContent = image.alt === '' ? 'Image' : image.alt;
  if (target.kind === 'file') {
    shown.dataset['image'] = isWiki ? target.path : `/${target.path}`;
    if (isWiki) shown.dataset['wiki'] = 'true';
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

/** Replaces an address in this dashboard with the title and the state of its target. */
async function nameTarget(link: HTMLAnchorElement): Promise<void> {
  link.removeAttribute('target');
  const { target } = await queryClient.fetchQuery(linksQuery(link.pathname));
  if (target === null) return;
  link.textContent = target.state === null ? target.title : `${target.title} (${target.state})`;
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
  void renderMath(root).catch(() => undefined);
  for (const link of root.querySelectorAll<HTMLAnchorElement>('a[href]')) {
    const isAddress = link.textContent === link.getAttribute('href');
    if (isAddress && link.origin === location.origin) void nameTarget(link).catch(() => undefined);
  }
  for (const code of root.querySelectorAll<HTMLElement>('code[data-language]')) {
    const name = code.dataset['language'] ?? '';
    delete code.dataset['language'];
    const block = code.parentElement;
    if (name === 'mermaid' && block !== null) void renderDiagram(block);
    else void highlightBlock(code, name).catch(() => undefined);
  }
  for (const place of root.querySelectorAll<HTMLElement>('[data-image]')) {
    const path = place.dataset['image'] ?? '';
    delete place.dataset['image'];
    void imageUrl(path, place.dataset['wiki'] === 'true').then((url) => showImage(place, url));
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
