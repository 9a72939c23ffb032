import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import { type EditorState, type Extension, type Range } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate, WidgetType } from '@codemirror/view';

import { toggleMarker } from './markdown-commands.ts';

/** A part of the text that is shown differently: hidden, with a class, or replaced with an element. */
export interface LivePart {
  readonly from: number;
  readonly to: number;
  readonly show: 'hidden' | 'line' | 'mark' | 'bullet' | 'rule' | 'task' | 'done-task';
  readonly className?: string;
}

/** Markdown marks that are hidden while the cursor is elsewhere. */
const HIDDEN: ReadonlySet<string> = new Set(['HeaderMark', 'EmphasisMark', 'StrikethroughMark', 'LinkMark', 'URL']);
const WIKI_LINK = /!?\[\[(?:[^\][|\n]{1,300}\|)?([^\][|\n]{1,300})\]\]/gu;
const HIGHLIGHT = /==(?=\S)((?:(?!==)[^\n])*\S)==/gu;
const COMMENT = /%%[^\n]*?%%/gu;

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Returns the parts to show differently. Lines that the selection touches show their source. */
export function livePartsOf(state: EditorState, ranges: readonly Span[]): readonly LivePart[] {
  const parts: LivePart[] = [];
  for (const range of ranges) {
    const wiki = wikiLinks(state, range);
    const syntax: LivePart[] = [];
    addSyntax(state, range, syntax);
    // The parser treats `[[note]]` as a link inside brackets.
    const isInWiki = ({ from, to }: Span): boolean => wiki.some((span) => from < span.to && to > span.from);
    parts.push(...syntax.filter((part) => part.show === 'line' || !isInWiki(part)));
    addPatterns(state, range, parts);
  }
  return parts.toSorted((left, right) => left.from - right.from || right.to - left.to);
}

const PARSE_MS = 50;

/** Parses up to a position, unless that takes too long. */
function treeOf(state: EditorState, to: number): ReturnType<typeof syntaxTree> {
  return ensureSyntaxTree(state, to, PARSE_MS) ?? syntaxTree(state);
}

function wikiLinks({ doc }: EditorState, { from, to }: Span): readonly Span[] {
  return [...doc.sliceString(from, to).matchAll(WIKI_LINK)].map(({ index, 0: text }) => ({
    from: from + index,
    to: from + index + text.length,
  }));
}

function isTouched({ doc, selection }: EditorState, at: number): boolean {
  const { from, to } = doc.lineAt(at);
  return selection.ranges.some((range) => range.from <= to && range.to >= from);
}

function addSyntax(state: EditorState, { from: first, to: last }: Span, parts: LivePart[]): void {
  const { doc } = state;
  treeOf(state, last).iterate({
    from: first,
    to: last,
    enter({ name, from, to, node }) {
      const heading = /^(?:ATX|Setext)Heading([1-6])$/u.exec(name)?.[1];
      if (heading !== undefined) {
        parts.push({
          from: doc.lineAt(from).from,
          to: doc.lineAt(from).from,
          show: 'line',
          className: `cm-live-h${heading}`,
        });
      }
      if (name === 'Blockquote') addQuote(state, { from, to }, parts);
      if (isTouched(state, from)) return;
      if (name === 'HorizontalRule') parts.push({ from, to, show: 'rule' });
      else if (name === 'TaskMarker') {
        const isDone = doc.sliceString(from, to).toLowerCase() === '[x]';
        parts.push({ from, to, show: isDone ? 'done-task' : 'task' });
      } else if (name === 'ListMark' && /^[-*+]$/u.test(doc.sliceString(from, to))) {
        const isTask = /^ \[[ x]\]/iu.test(doc.sliceString(to, to + 4));
        parts.push({ from, to: isTask ? to + 1 : to, show: isTask ? 'hidden' : 'bullet' });
      } else if (name === 'QuoteMark') parts.push({ from, to, show: 'hidden' });
      else if (name === 'CodeMark' && node.parent?.name === 'InlineCode') parts.push({ from, to, show: 'hidden' });
      else if (HIDDEN.has(name) && isHideable(node.parent?.name)) {
        // The space after a heading's marks is hidden together with the marks.
        const end = name === 'HeaderMark' && doc.sliceString(to, to + 1) === ' ' ? to + 1 : to;
        parts.push({ from, to: end, show: 'hidden' });
      }
    },
  });
}

/**
 * Returns whether the address of a link may be hidden. The address stays visible in a bare link and in a link
 * definition, because no other text represents these links.
 */
function isHideable(parent: string | undefined): boolean {
  return parent !== undefined && parent !== 'LinkReference' && parent !== 'Paragraph' && parent !== 'Autolink';
}

function addQuote({ doc }: EditorState, { from, to }: Span, parts: LivePart[]): void {
  for (let line = doc.lineAt(from); ; line = doc.line(line.number + 1)) {
    parts.push({ from: line.from, to: line.from, show: 'line', className: 'cm-live-quote' });
    if (line.to >= to) return;
  }
}

function addPatterns(state: EditorState, { from, to }: Span, parts: LivePart[]): void {
  const text = state.doc.sliceString(from, to);
  const found = (pattern: RegExp, add: (match: RegExpExecArray, at: number) => void): void => {
    for (const match of text.matchAll(pattern)) {
      const at = from + match.index;
      if (!isInCode(state, at) && !isTouched(state, at)) add(match, at);
    }
  };
  found(WIKI_LINK, (match, at) => {
    const end = at + match[0].length;
    const shown = match[1]?.length ?? 0;
    parts.push({ from: at, to: end - shown - 2, show: 'hidden' });
    parts.push({ from: end - shown - 2, to: end - 2, show: 'mark', className: 'cm-live-link' });
    parts.push({ from: end - 2, to: end, show: 'hidden' });
  });
  found(HIGHLIGHT, (match, at) => {
    const end = at + match[0].length;
    parts.push({ from: at, to: at + 2, show: 'hidden' });
    parts.push({ from: at + 2, to: end - 2, show: 'mark', className: 'cm-live-highlight' });
    parts.push({ from: end - 2, to: end, show: 'hidden' });
  });
  found(COMMENT, (match, at) =>
    parts.push({ from: at, to: at + match[0].length, show: 'mark', className: 'cm-live-comment' }),
  );
}

function isInCode(state: EditorState, at: number): boolean {
  for (let node = syntaxTree(state).resolveInner(at, 1); ;) {
    if (/Code/u.test(node.name)) return true;
    if (node.parent === null) return false;
    node = node.parent;
  }
}

class Bullet extends WidgetType {
  override eq(): boolean {
    return true;
  }

  override toDOM(): HTMLElement {
    const element = document.createElement('span');
    element.textContent = '•';
    element.className = 'cm-live-bullet';
    return element;
  }
}

class Rule extends WidgetType {
  override eq(): boolean {
    return true;
  }

  override toDOM(): HTMLElement {
    const element = document.createElement('span');
    element.className = 'cm-live-rule';
    return element;
  }
}

class TaskBox extends WidgetType {
  readonly #isDone: boolean;

  constructor(isDone: boolean) {
    super();
    this.#isDone = isDone;
  }

  override eq(other: TaskBox): boolean {
    return other.#isDone === this.#isDone;
  }

  override toDOM(view: EditorView): HTMLElement {
    const box = document.createElement('input');
    box.type = 'checkbox';
    box.checked = this.#isDone;
    box.className = 'cm-live-task';
    box.disabled = view.state.readOnly;
    box.setAttribute('aria-label', 'Task done');
    box.addEventListener('mousedown', (event) => event.preventDefault());
    box.addEventListener('click', (event) => {
      event.preventDefault();
      view.dispatch(toggleMarker(view.state, view.posAtDOM(box)));
    });
    return box;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

function decorationOf({ show, className = '' }: LivePart): Decoration {
  switch (show) {
    case 'line':
      return Decoration.line({ class: className });
    case 'mark':
      return Decoration.mark({ class: className });
    case 'bullet':
      return Decoration.replace({ widget: new Bullet() });
    case 'rule':
      return Decoration.replace({ widget: new Rule() });
    case 'task':
    case 'done-task':
      return Decoration.replace({ widget: new TaskBox(show === 'done-task') });
    case 'hidden':
    default:
      return Decoration.replace({});
  }
}

function decorationsOf({ state, visibleRanges }: EditorView): DecorationSet {
  const parts = livePartsOf(state, visibleRanges);
  const ranges = parts.map((part): Range<Decoration> => decorationOf(part).range(part.from, part.to));
  return Decoration.set(ranges, true);
}

/** Shows a note in one column: formatted, except for the line with the cursor. */
export const livePreview: Extension = [
  EditorView.editorAttributes.of({ class: 'cm-live' }),
  ViewPlugin.define(
    (view) => ({
      decorations: decorationsOf(view),
      update(update: ViewUpdate) {
        const hasTree = syntaxTree(update.startState) !== syntaxTree(update.state);
        if (update.docChanged || update.viewportChanged || update.selectionSet || hasTree) {
          this.decorations = decorationsOf(update.view);
        }
      },
    }),
    { decorations: (plugin) => plugin.decorations },
  ),
];
