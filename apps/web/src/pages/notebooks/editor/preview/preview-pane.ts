import type { Text } from '@codemirror/state';

import { enliven, finishPiece, type PreviewPlace } from './finish-piece.ts';
import { splitFrontMatter } from './front-matter.ts';
import { renderMarkdown } from './render-markdown.ts';
import { sanitise } from './sanitise.ts';

const PIECE_LENGTH = 30_000;
/** How long the page may be busy with the preview at a time. */
const SLICE_MS = 12;

/** The longer the text, the longer the pause in typing has to be before it is shown. */
function delayOf(length: number): number {
  if (length < 50_000) return 120;
  return length < 300_000 ? 500 : 1_500;
}

/** Shows Markdown in an element, a piece at a time, and only what has changed. */
export class PreviewPane {
  readonly #root: HTMLElement;
  readonly #place: PreviewPlace;
  readonly #pieces: { html: string; element: HTMLElement }[] = [];
  readonly #properties = document.createElement('div');
  #timer: ReturnType<typeof setTimeout> | undefined;
  #run = 0;

  constructor(root: HTMLElement, place: PreviewPlace) {
    this.#root = root;
    this.#place = place;
    root.replaceChildren(this.#properties);
  }

  show(text: Text, isFirst: boolean = false): void {
    clearTimeout(this.#timer);
    this.#run += 1;
    this.#timer = setTimeout(() => void this.#render(text, this.#run), isFirst ? 0 : delayOf(text.length));
  }

  destroy(): void {
    clearTimeout(this.#timer);
    this.#run += 1;
  }

  async #render(text: Text, run: number): Promise<void> {
    const { properties, body } = splitFrontMatter(text.toString());
    showProperties(this.#properties, properties);
    const pieces = htmlOf(body);
    let started = performance.now();
    for (const [index, html] of pieces.entries()) {
      if (performance.now() - started > SLICE_MS) {
        await idle();
        if (run !== this.#run) return;
        started = performance.now();
      }
      this.#showPiece(index, html);
    }
    for (const { element } of this.#pieces.splice(pieces.length)) element.remove();
  }

  #showPiece(index: number, html: string): void {
    const known = this.#pieces[index];
    if (known?.html === html) return;
    const element = document.createElement('div');
    element.className = 'note-piece';
    element.append(finishPiece(sanitise(html), this.#place));
    const focused =
      known === undefined ? -1 : boxesOf(known.element).indexOf(document.activeElement as HTMLInputElement);
    if (known === undefined) this.#root.append(element);
    else known.element.replaceWith(element);
    this.#pieces[index] = { html, element };
    enliven(element, this.#place);
    if (focused >= 0) boxesOf(element)[focused]?.focus();
  }
}

export function boxesOf(root: ParentNode): readonly HTMLInputElement[] {
  return [...root.querySelectorAll<HTMLInputElement>('input.note-task')];
}

/** Whatever a text does to the parser, it is shown: then as it is written. */
function htmlOf(body: string): readonly string[] {
  try {
    return renderMarkdown(body, PIECE_LENGTH);
  } catch {
    return [`<pre>${body.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</pre>`];
  }
}

function showProperties(
  root: HTMLElement,
  properties: readonly { readonly name: string; readonly value: string }[],
): void {
  if (properties.length === 0) return root.replaceChildren();
  const list = document.createElement('dl');
  list.className = 'note-properties';
  list.setAttribute('aria-label', 'Properties');
  for (const { name, value } of properties) {
    const term = document.createElement('dt');
    const description = document.createElement('dd');
    term.textContent = name;
    description.textContent = value;
    description.dir = 'auto';
    list.append(term, description);
  }
  root.replaceChildren(list);
}

function idle(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}
