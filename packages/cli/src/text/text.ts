/**
 * Styled text as data.
 *
 * Strings never contain colours: they are data and are escaped on output, so a task title with an escape sequence
 * cannot clear the screen. Only `Styled` nodes become escape sequences.
 */
import { escapeForTerminal } from './escape.ts';

const OPENING_CODES = {
  bold: 1,
  dim: 2,
  underline: 4,
  red: 31,
  green: 32,
  yellow: 33,
  blue: 34,
  magenta: 35,
  cyan: 36,
} as const;

type StyleName = keyof typeof OPENING_CODES;

interface Styled {
  readonly style: StyleName;
  readonly content: Text;
}

export type Text = string | number | Styled | readonly Text[];

type StyleFunctions = { readonly [Name in StyleName]: (...content: readonly Text[]) => Styled };

/** `style.red('failed')`, `style.bold(id, ' ', style.dim(title))`. */
export const style: StyleFunctions = Object.fromEntries(
  Object.keys(OPENING_CODES).map((name) => [name, (...content: readonly Text[]) => ({ style: name, content })]),
) as StyleFunctions;

export interface RenderOptions {
  readonly useColour: boolean;
  readonly isTerminal: boolean;
}

function renderParts(parts: readonly Text[], options: RenderOptions, surrounding: string): string {
  let rendered = '';
  for (const part of parts) rendered += renderText(part, options, surrounding);
  return rendered;
}

export function renderText(text: Text, options: RenderOptions, surrounding = ''): string {
  if (typeof text === 'string') return options.isTerminal ? escapeForTerminal(text) : text;
  if (typeof text === 'number') return String(text);
  if (!isStyled(text)) return renderParts(text, options, surrounding);
  if (!options.useColour) return renderText(text.content, options);
  const opening = `\u001b[${OPENING_CODES[text.style]}m`;
  const content = renderText(text.content, options, surrounding + opening);
  // Bold and dim share one closing code, so close everything and reopen the surrounding styles.
  return `${opening}${content}\u001b[0m${surrounding}`;
}

export function plainText(text: Text): string {
  if (typeof text === 'string') return text;
  if (typeof text === 'number') return String(text);
  return isStyled(text) ? plainText(text.content) : text.map(plainText).join('');
}

/** Applies `change` to every piece of data and keeps the styles. */
export function mapText(text: Text, change: (data: string) => string): Text {
  if (typeof text === 'string' || typeof text === 'number') return change(String(text));
  if (isStyled(text)) return { style: text.style, content: mapText(text.content, change) };
  return text.map((part) => mapText(part, change));
}

function isStyled(text: Styled | readonly Text[]): text is Styled {
  return !Array.isArray(text);
}
