import { readFileSync } from 'node:fs';

import { systemErrorCode } from '@holdfast/base';

import { type Config, defaultConfig, type LineOf, readConfig } from '../model/config.ts';
import { ringmasterErrors } from '../model/errors.ts';

/** Reads ringmaster.toml, or returns the defaults. Loads the parser only if there is a file. */
export async function loadConfig(path: string): Promise<Config> {
  const text = configText(path);
  if (text === undefined) return defaultConfig;
  const { parse, TomlError } = await import('smol-toml');
  try {
    return readConfig(parse(text), lineFinder(text));
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [reason] = error.message.split('\n');
    throw ringmasterErrors.CONFIG_INVALID(`ringmaster.toml:${error.line}: ${reason ?? 'not TOML'}`, {
      cause: error,
      details: { line: error.line, column: error.column },
    });
  }
}

/** Changes are detected by comparing the text: two versions can have the same length and modification time. */
export function configText(path: string): string | undefined {
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

/** A missing key is reported at the start of its table. */
function headerLine(lines: readonly string[], section: string, occurrence: number): number | undefined {
  let seen = -1;
  for (const [index, line] of lines.entries()) {
    if (/^\s*\[{1,2}\s*([^\]]+?)\s*\]/.exec(line)?.[1] === section) seen += 1;
    if (seen === occurrence) return index + 1;
  }
  return undefined;
}
