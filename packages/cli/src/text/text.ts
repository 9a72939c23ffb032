/**
 * Styled text as data.
 *
 * Strings never contain colours: they are data and are escaped on output, so a task title with an escape sequence
 * cannot clear the screen. Only `Styled` nodes become escape sequences.
 */
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
  Object.keys(OPENING_CODES).map((name) => [
    name,
    (...parts: readonly Text[]) => ({ style: name, content: parts.length === 1 ? parts[0] : parts }),
  ]),
) as StyleFunctions;

interface RenderOptions {
  readonly useColour: boolean;
  /** True to show control characters in data as text. */
  readonly escapes: boolean;
}

function renderParts(parts: readonly Text[], options: RenderOptions, surrounding: string): string {
  let rendered = '';
  for (const part of parts) rendered += renderText(part, options, surrounding);
  return rendered;
}

export function renderText(text: Text, options: RenderOptions, surrounding = ''): string {
  if (typeof text === 'string') return options.escapes ? escapeControls(text) : text;
  if (typeof text === 'number') return String(text);
  if (!isStyled(text)) return renderParts(text, options, surrounding);
  if (!options.useColour) return renderText(text.content, options);
  const opening = `\u001b[${OPENING_CODES[text.style]}m`;
  const content = renderText(text.content, options, surrounding + opening);
  // Bold and dim share one closing code, so this code closes all styles and reopens the surrounding ones.
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

/**
 * Shows control characters as text, `\x1b` for escape, so data cannot control the terminal. Keeps line ends and tabs.
 * Output to a pipe is escaped too, because it often reaches a terminal.
 */
export function escapeControls(text: string): string {
  // Most text has no control characters, and one test is much faster than a replacement.
  if (!CONTROL.test(text)) return text;
  return text.replaceAll('\r\n', '\n').replaceAll(new RegExp(CONTROL, 'gu'), (character) => {
    const code = character.charCodeAt(0);
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16)}`;
  });
}

/** Control characters, and bidirectional controls that change how text reads. Compiles faster than `\p{Cc}`. */
// oxlint-disable-next-line no-control-regex -- these are the characters that are escaped
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/u;

/** Escapes the control characters that JSON.stringify leaves as they are; the JSON keeps its meaning. */
export function escapeJsonControls(json: string): string {
  const dangerous = /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/gu;
  return json.replaceAll(dangerous, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Joins text into one line, for a table cell. */
export function onOneLine(text: string): string {
  return text.replaceAll(/[\r\n\t\v\f]+/gu, ' ');
}

interface ColourRequest {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isTerminal: boolean;
  /** Whether the user allows colour; `--no-color` makes it false. */
  readonly isWanted: boolean;
}

export function usesColour({ env, isTerminal, isWanted }: ColourRequest): boolean {
  if (!isWanted || isSet(env['NO_COLOR'])) return false;
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return isTerminal && env['TERM'] !== 'dumb';
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}
