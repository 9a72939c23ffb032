import { audiobookErrors } from './errors.ts';
import { safeName, scrub } from './path-names.ts';
import { parseSeriesPosition } from './series-position.ts';

/**
 * Naming templates: `{author}/[{series}/][{sequence:2} - ]{title}[ ({year})]/[{track:3} - ]{title}.{ext}`.
 *
 * `{name}` is a variable, `{name:3}` pads it to three digits, and a part in `[…]` is omitted if one of its variables is
 * empty. With `{ext}` at the end, the last component names files; without it, only folders change and files keep their
 * names. `{{`, `}}`, `[[` and `]]` escape brackets.
 */

export const TEMPLATE_VARIABLES = [
  'author',
  'authors',
  'author_last',
  'title',
  'subtitle',
  'series',
  'sequence',
  'year',
  'narrator',
  'narrators',
  'publisher',
  'language',
  'isbn',
  'asin',
  'edition',
  'genre',
  'disc',
  'track',
  'tracks',
  'file',
  'ext',
] as const;
type TemplateVariable = (typeof TEMPLATE_VARIABLES)[number];
export type TemplateValues = Partial<Readonly<Record<TemplateVariable, string>>>;

type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: TemplateVariable; readonly width: number }
  | { readonly kind: 'optional'; readonly parts: readonly Part[] };

export interface Template {
  readonly parts: readonly Part[];
  /** Whether the last component of the template names files. */
  readonly namesFiles: boolean;
}

const TOKEN =
  /\{\{|\}\}|\[\[|\]\]|\{(?<name>[a-z_]+)(?::(?<width>\d))?\}|(?<open>\[)|(?<close>\])|(?<text>[^{}[\]]+)|(?<bad>[{}])/gu;

export function parseTemplate(text: string): Template {
  const invalid = (message: string): Error =>
    audiobookErrors.TEMPLATE_INVALID(message, { details: { template: text } });
  if (text.length > 1_000) throw invalid('The template is longer than 1,000 characters.');
  const top: Part[] = [];
  let optional: Part[] | undefined;
  for (const match of text.matchAll(TOKEN)) {
    const { name, width, open, close, text: plain, bad } = match.groups ?? {};
    const target = optional ?? top;
    if (bad !== undefined) throw invalid(`A single "${bad}" is not allowed; write it twice to get the character.`);
    if (open !== undefined) {
      if (optional !== undefined) throw invalid('Optional parts [ ] cannot be nested.');
      optional = [];
    } else if (close !== undefined) {
      if (optional === undefined) throw invalid('A "]" has no "["; write it twice to get the character.');
      top.push({ kind: 'optional', parts: optional });
      optional = undefined;
    } else if (name !== undefined) {
      if (!isVariable(name))
        throw invalid(`Unknown variable {${name}}. Available variables: ${TEMPLATE_VARIABLES.join(', ')}.`);
      target.push({ kind: 'variable', name, width: Number(width ?? 0) });
    } else {
      target.push({ kind: 'text', text: plain ?? match[0].charAt(0) });
    }
  }
  if (optional !== undefined) throw invalid('A "[" is never closed.');
  return checked(top, text, invalid);
}

function checked(parts: readonly Part[], text: string, invalid: (message: string) => Error): Template {
  const names = parts.flatMap((part) => variablesOf(part));
  const namesFiles = names.includes('ext');
  if (namesFiles && !text.endsWith('.{ext}')) throw invalid('{ext} must be at the end, after a dot: ".{ext}".');
  if (/^\s*[/\\]|^[a-z]:|\\/iu.test(text))
    throw invalid('A template is relative to the library and separates folders with "/".');
  if (text.split('/').some((component) => /^\.{1,2}$/u.test(component.trim())))
    throw invalid('A template cannot contain ".." or ".".');
  if (!names.some((name) => ['title', 'file', 'isbn', 'asin'].includes(name)))
    throw invalid('A template needs {title}, {file}, {isbn} or {asin}; otherwise all books would have the same path.');
  return { parts, namesFiles };
}

const isVariable = (name: string): name is TemplateVariable => (TEMPLATE_VARIABLES as readonly string[]).includes(name);

function variablesOf(part: Part): readonly TemplateVariable[] {
  if (part.kind === 'variable') return [part.name];
  return part.kind === 'optional' ? part.parts.flatMap(variablesOf) : [];
}

const DEFAULTS: TemplateValues = {
  author: 'Unknown Author',
  authors: 'Unknown Author',
  author_last: 'Unknown Author',
  title: 'Untitled',
};
/** Stands for a slash in the template while values are inserted; values never contain this character. */
const SEPARATOR = '\u0000';

/** Returns a path of safe, non-empty components. */
export function renderTemplate({ parts, namesFiles }: Template, values: TemplateValues): string {
  const extension = scrub(values.ext ?? '');
  const text = parts.map((part) => render(part, values)).join('');
  const components = text.split(SEPARATOR);
  const last = components.length - 1;
  const safe = components.map((component, index) => {
    if (!namesFiles || index !== last) return safeName(component);
    // The extension is added after shortening, so that it is never cut.
    return safeName(
      component.slice(0, component.length - extension.length - 1),
      extension === '' ? '' : `.${extension}`,
    );
  });
  if (namesFiles && safe[last] === '') safe[last] = safeName('Untitled', `.${extension}`);
  const path = safe.filter((component) => component !== '').join('/');
  return path === '' ? 'Untitled' : path;
}

function render(part: Part, values: TemplateValues): string {
  if (part.kind === 'text') return part.text.replaceAll('/', SEPARATOR);
  if (part.kind === 'variable') return valueOf(part.name, part.width, { ...DEFAULTS, ...present(values) });
  const isComplete = part.parts.flatMap(variablesOf).every((name) => valueOf(name, 0, values) !== '');
  return isComplete ? part.parts.map((inner) => render(inner, values)).join('') : '';
}

function present(values: TemplateValues): TemplateValues {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => scrub(value) !== ''));
}

function valueOf(name: TemplateVariable, width: number, values: TemplateValues): string {
  const value = scrub(values[name] ?? '');
  if (width === 0) return value;
  const position = parseSeriesPosition(value);
  if (position === undefined) return value;
  return position.text.replaceAll(/\d+(?:\.\d+)?/gu, (number) => {
    const [whole = '', decimals] = number.split('.');
    return decimals === undefined ? whole.padStart(width, '0') : `${whole.padStart(width, '0')}.${decimals}`;
  });
}
