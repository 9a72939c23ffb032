import { readFileSync } from 'node:fs';

import { systemErrorCode } from './system-error.ts';

/**
 * Returns the line of a key in a section; without a key, the line of the section itself. In an array of tables,
 * `occurrence` is the index of the table, counted from 0.
 */
export type LineOf = (section: string, key: string | undefined, occurrence: number) => number | undefined;

export interface TomlFile {
  readonly values: Readonly<Record<string, unknown>>;
  readonly lineOf: LineOf;
}

/** Reads a TOML file; undefined if there is none. Loads the parser only if there is a file. */
export async function readTomlFile(
  path: string,
  invalid: (reason: string, line: number, cause: Error) => Error,
): Promise<TomlFile | undefined> {
  const text = textIfThere(path);
  if (text === undefined) return undefined;
  const { parse, TomlError } = await import('smol-toml');
  try {
    return { values: parse(text), lineOf: lineFinder(text) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    throw invalid(error.message.split('\n')[0] ?? 'not TOML', error.line, error);
  }
}

export function textIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Finds the line of a key by searching the text, because the TOML parser does not report lines. */
function lineFinder(text: string): LineOf {
  const lines = text.split('\n');
  return (section, key, occurrence) => {
    let current = '';
    let seen = -1;
    for (const [index, line] of lines.entries()) {
      const header = /^\s*\[{1,2}\s*([^\]]+?)\s*\]{1,2}/.exec(line)?.[1];
      if (header !== undefined) {
        current = header.replaceAll(/["'\s]/g, '');
        if (current === section) seen += 1;
        if (section === '' && (current === key || current.split('.')[0] === key)) return index + 1;
        if (current === section && seen === occurrence && key === undefined) return index + 1;
        if (current === `${section}.${key}`) return index + 1;
        continue;
      }
      const name = /^\s*["']?([\w.-]+)["']?\s*=/.exec(line)?.[1];
      if (name === undefined || name.split('.').at(-1) !== key) continue;
      if (current === section && (section === '' || seen === occurrence)) return index + 1;
      if (name === `${section}.${key}` || `${current}.${name}` === `${section}.${key}`) return index + 1;
    }
    return section === '' ? undefined : headerLine(lines, section, occurrence);
  };
}

/** Returns the line of a table's header, where a missing key is reported. */
function headerLine(lines: readonly string[], section: string, occurrence: number): number | undefined {
  let seen = -1;
  for (const [index, line] of lines.entries()) {
    if (/^\s*\[{1,2}\s*([^\]]+?)\s*\]/.exec(line)?.[1] === section) seen += 1;
    if (seen === occurrence) return index + 1;
  }
  return undefined;
}
