import type { Book } from '../../../api/types.ts';

/** Form fields. Fields of kind `names` and `series` take one entry per line. */
export const fields = [
  { name: 'title', label: 'Title', kind: 'line' },
  { name: 'subtitle', label: 'Subtitle', kind: 'line' },
  { name: 'authors', label: 'Authors', kind: 'names', help: 'One per line' },
  { name: 'narrators', label: 'Narrators', kind: 'names', help: 'One per line' },
  { name: 'series', label: 'Series', kind: 'series', help: 'One per line, optionally with a number: Dune #2' },
  { name: 'year', label: 'Year', kind: 'year' },
  { name: 'publisher', label: 'Publisher', kind: 'line' },
  { name: 'language', label: 'Language', kind: 'line' },
  { name: 'edition', label: 'Edition', kind: 'line' },
  { name: 'isbn', label: 'ISBN', kind: 'line' },
  { name: 'asin', label: 'ASIN', kind: 'line' },
  { name: 'genres', label: 'Genres', kind: 'names', help: 'One per line' },
  { name: 'tags', label: 'Tags', kind: 'names', help: 'One per line' },
  { name: 'description', label: 'Description', kind: 'text' },
] as const;

export type BookField = (typeof fields)[number];
export type FieldName = BookField['name'];

export function fieldLabel(name: string): string {
  return fields.find((field) => field.name === name)?.label ?? name.replace(/^./u, (letter) => letter.toUpperCase());
}

/** Returns the value of a field as form text. */
export function writtenValue(book: Book, name: FieldName): string {
  const value = { ...book, isbn: book.isbn13 ?? book.isbn10 }[name];
  if (value === null) return '';
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  return (value as readonly (string | Named)[])
    .map((each) => (typeof each === 'string' ? each : valueText(each)))
    .join('\n');
}

/** Parses form text into the value that the server expects. */
export function readValue(name: FieldName, written: string): unknown {
  const kind = fields.find((field) => field.name === name)?.kind;
  const lines = written
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (kind === 'names') return lines;
  if (kind === 'series') return lines.map(readMembership);
  const text = written.trim();
  if (text === '') return null;
  return kind === 'year' ? Number(text) : text;
}

function readMembership(line: string): { readonly name: string; readonly sequence: string | null } {
  const found = /^(?<name>.+?)\s+#(?<sequence>\S+)$/u.exec(line);
  return { name: found?.groups?.['name'] ?? line, sequence: found?.groups?.['sequence'] ?? null };
}

const sources: Readonly<Record<string, string>> = {
  edit: 'edited manually',
  import: 'from an import',
  provider: 'from a provider',
  tag: 'from file tags',
  abs: 'from Audiobookshelf metadata',
  opf: 'from an OPF file',
  nfo: 'from an NFO file',
  cue: 'from a cue sheet',
  text: 'from a text file',
  folder: 'from the folder name',
  file: 'from the file name',
  undo: 'restored by undo',
  merge: 'from a merged book',
  organise: 'from the name before organising',
};

export function sourceText(source: string): string {
  return sources[source] ?? source;
}

interface Named {
  readonly name: string;
  readonly sequence?: string | null;
}

const LONG = 200;

/** Returns the value of a field in one line. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return '(empty)';
  if (Array.isArray(value)) return value.length === 0 ? '(empty)' : value.map(valueText).join(', ');
  if (typeof value === 'object') {
    const { name, sequence } = value as Named;
    return sequence === null || sequence === undefined ? name : `${name} #${sequence}`;
  }
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value);
  return text.length > LONG ? `${text.slice(0, LONG)}…` : text;
}
