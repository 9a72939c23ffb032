import { LanguageDescription } from '@codemirror/language';
import { languages } from '@codemirror/language-data';
import { classHighlighter, highlightCode } from '@lezer/highlight';

import { linkTarget, type LinkTarget, resolvePath } from './link-target.ts';
import { TASK_KIND, WIKI_KIND } from './render-markdown.ts';

export interface PreviewContext {
  readonly notebookId: string;
  readonly notePath: string;
  /** Resolves an image path to its URL. */
  readonly imageUrl: (path: string) => Promise<string | undefined>;
}

const LABEL_LENGTH = 80;
const BLOCKS = 'p, h1, h2, h3, h4, h5, h6, li, blockquote, td, th, dt, dd, summary, figcaption';

/** Rewrites all links and adds our own elements to sanitised nodes, before they are inserted into the page. */
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

/** Keeps task checkboxes; other inputs could imitate a form of the page. */
function finishBox(box: HTMLInputElement): void {
  if (box.getAttribute('data-kind') !== TASK_KIND) return box.remove();
  const label = (box.parentElement?.textContent ?? '').trim();
  box.type = 'checkbox';
  box.removeAttribute('data-kind');
  box.className = 'note-task';
  box.setAttribute('aria-label', label.slice(0, LABEL_LENGTH) || 'Task');
  box.closest('li')?.classList.add('note-task-item');
}

/** Target for links to headings; an id could clash with one of the page. */
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

/** Wiki links name a note anywhere in the notebook. */
function wikiTarget(text: string): LinkTarget {
  const [path = '', heading = ''] = text.split('#', 2);
  if (path.trim() === '') return { kind: 'heading', name: heading };
  const resolved = resolvePath(`/${path.trim()}`, '');
  return resolved === undefined ? { kind: 'nothing' } : { kind: 'file', path: resolved, heading };
}

/** Shows only images of the notebook itself. Others would tell their server who reads the note, and when. */
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

/** Loads images and highlights code, once the nodes are in the page. */
export function enliven(root: ParentNode, { imageUrl }: PreviewContext): void {
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

/** Highlights a code block once its language is loaded. Adds only elements around the text. */
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
    (part, classes) => nodes.push(classes === '' ? document.createTextNode(part) : coloured(part, classes)),
    () => nodes.push(document.createTextNode('\n')),
  );
  code.replaceChildren(...nodes);
}

function coloured(text: string, classes: string): HTMLElement {
  const span = document.createElement('span');
  span.className = classes;
  span.textContent = text;
  return span;
}
