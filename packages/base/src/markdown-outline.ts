interface OutlineBase {
  /** Line number, counted from 1. */
  readonly line: number;
}

export interface OutlineHeading extends OutlineBase {
  readonly kind: 'heading';
  /** Number of `#` characters. */
  readonly level: number;
  readonly title: string;
}

export interface OutlineItem extends OutlineBase {
  readonly kind: 'item';
  readonly indent: number;
  /** The number of an item in a numbered list. */
  readonly number: string | undefined;
  readonly title: string;
  readonly isDone: boolean;
}

export interface OutlineText extends OutlineBase {
  readonly kind: 'text';
  readonly text: string;
  readonly isCode: boolean;
}

const HEADING = /^(#{1,6})\s+(.+?)(?:\s+#+)?\s*$/u;
const ITEM = /^(\s*)(?:[-*+]|(\d+)[.)])\s+\[([ xX])\]\s+(.+?)\s*$/u;
const FENCE = /^\s*(?:```|~~~)/u;
const TAB = ' '.repeat(4);

/** Yields each line of a Markdown plan as a heading, an item with a checkbox (`- [ ] title`), or text. */
export function* markdownOutline(
  markdown: string,
): Generator<OutlineHeading | OutlineItem | OutlineText, void, undefined> {
  let line = 0;
  let isCode = false;
  for (const text of markdown.split(/\r?\n/u)) {
    line += 1;
    const isFence = FENCE.test(text);
    const heading = isCode ? null : HEADING.exec(text);
    const item = isCode ? null : ITEM.exec(text);
    if (heading !== null) {
      const [, marks = '', title = ''] = heading;
      yield { kind: 'heading', line, level: marks.length, title };
    } else if (item !== null) {
      const [, space = '', number, box, title = ''] = item;
      const indent = space.replaceAll('\t', TAB).length;
      yield { kind: 'item', line, indent, number, title, isDone: box !== ' ' };
    } else yield { kind: 'text', line, text, isCode: isCode || isFence };
    if (isFence) isCode = !isCode;
  }
}
