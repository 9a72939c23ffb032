import type { Text } from '@codemirror/state';
import { delay } from '@holdfast/base/time';

import { renderMarkdown } from './markdown.ts';
import { loadImagesAndHighlight, finishPiece, type PreviewContext, sanitise } from './render-piece.ts';
import { splitBlocks } from './split-blocks.ts';

/** Maximum time that rendering may block the page before it yields. */
const SLICE_MS = 12;

/** Returns how long typing must pause before the text is rendered. Long texts need a longer pause. */
function delayOf(length: number): number {
  if (length < 50_000) return 120;
  return length < 300_000 ? 500 : 1_500;
}

interface Piece {
  readonly source: string;
  readonly element: HTMLElement;
}

export class PreviewPane {
  readonly #root: HTMLElement;
  readonly #place: PreviewContext;
  readonly #pieces: Piece[] = [];
  readonly #properties = document.createElement('div');
  #timer: ReturnType<typeof setTimeout> | undefined;
  #run = 0;

  constructor(root: HTMLElement, place: PreviewContext) {
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
    const focused = boxesOf(this.#root).indexOf(document.activeElement as HTMLInputElement);
    const known = bySource(this.#pieces.splice(0));
    let started = performance.now();
    let last: Element = this.#properties;
    for (const source of splitBlocks(body)) {
      const piece = known.get(source)?.shift() ?? { source, element: this.#made(source) };
      this.#pieces.push(piece);
      if (last.nextElementSibling !== piece.element) last.after(piece.element);
      last = piece.element;
      if (performance.now() - started > SLICE_MS) {
        await delay(0);
        if (run !== this.#run) break;
        started = performance.now();
      }
    }
    // If a newer text has arrived, its rendering reuses the remaining pieces.
    const rest = [...known.values()].flat();
    if (run === this.#run) for (const { element } of rest) element.remove();
    else this.#pieces.push(...rest);
    if (focused >= 0 && document.activeElement === document.body) boxesOf(this.#root)[focused]?.focus();
  }

  #made(source: string): HTMLElement {
    const element = document.createElement('div');
    element.className = 'note-piece';
    element.append(finishPiece(sanitise(htmlOf(source)), this.#place));
    loadImagesAndHighlight(element, this.#place);
    return element;
  }
}

function bySource(pieces: readonly Piece[]): ReadonlyMap<string, Piece[]> {
  const found = new Map<string, Piece[]>();
  for (const piece of pieces) found.set(piece.source, [...(found.get(piece.source) ?? []), piece]);
  return found;
}

export function boxesOf(root: ParentNode): readonly HTMLInputElement[] {
  return [...root.querySelectorAll<HTMLInputElement>('input.note-task')];
}

/** Shows the source if the parser fails. */
function htmlOf(source: string): string {
  try {
    return renderMarkdown(source);
  } catch {
    return `<pre>${source.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</pre>`;
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

interface FrontMatter {
  readonly properties: readonly { readonly name: string; readonly value: string }[];
  readonly body: string;
}

const FENCE = /^\uFEFF?---[ \t]*\r?\n(?<inner>[\s\S]*?)\r?\n?---[ \t]*(?:\r?\n|$)/u;
const NAME = /^(?<name>[^\s#:][^:]*):(?:\s+(?<value>.*)|$)/u;

/** Separates the front matter from the body and splits it for display into names, each with the lines indented below it. Does not interpret values. */
function splitFrontMatter(text: string): FrontMatter {
  const found = FENCE.exec(text);
  if (found === null) return { properties: [], body: text };
  const properties: { name: string; value: string }[] = [];
  for (const line of (found.groups?.['inner'] ?? '').split(/\r?\n/u)) {
    const pair = NAME.exec(line)?.groups;
    const last = properties.at(-1);
    if (pair !== undefined) properties.push({ name: pair['name'] ?? '', value: (pair['value'] ?? '').trim() });
    else if (last !== undefined && line.trim() !== '') last.value = `${last.value}\n${line}`.trim();
  }
  return { properties, body: text.slice(found[0].length) };
}
