import { isBlank, parseStoredList } from '@holdfast/base';
import { ringmasterErrors } from './errors.ts';

const TITLE_CHARACTERS_MAX = 500;

/** Refuses titles that are too long for Beads, because such a task could not be exported. */
export function checkTitle(title: string): string {
  if (title.includes('\0')) throw ringmasterErrors.TEXT_INVALID('A title must not contain a NUL character');
  const trimmed = oneLine(title).trim();
  if (isBlank(trimmed)) throw ringmasterErrors.TEXT_INVALID('A title must not be empty');
  if (Array.from(trimmed).length > TITLE_CHARACTERS_MAX) {
    throw ringmasterErrors.TEXT_INVALID(`A title must have at most ${TITLE_CHARACTERS_MAX} characters`);
  }
  return trimmed;
}

const BREAK = /[\n\v\f\r\u0085\u2028\u2029]/;

/** Turns a title into one line, because lists, commits and messages show it on one line. */
export function oneLine(text: string): string {
  if (!BREAK.test(text)) return text;
  const lines = text.split(BREAK).map((line) => line.trim());
  return lines.filter((line) => line !== '').join(' ') || ' ';
}

/**
 * Returns a JSON pointer to the first text that contains a NUL; undefined if there is none. SQLite would truncate such
 * a text.
 */
export function nulIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value.includes('\0') ? '' : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, part] of Object.entries(value)) {
    const below = key.includes('\0') ? '' : nulIn(part);
    if (below !== undefined) return `/${key.replaceAll('\0', '')}${below}`;
  }
  return undefined;
}

/** Reads a JSON list of texts from a column. */
export function textList(stored: string | null): readonly string[] {
  return stored === null ? [] : (parseStoredList(stored) as readonly string[]);
}
