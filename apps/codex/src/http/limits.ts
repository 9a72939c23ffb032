import { MEBIBYTE } from '@holdfast/base';

import { settingsFrom } from '../model/settings.ts';
import type { Codex } from '../service/codex.ts';

/** JSON may write one byte of content as six characters. */
const ESCAPED = 6;
/** A body of JSON is in memory several times; longer files come as uploads. */
const JSON_BYTES_MAX: number = 64 * MEBIBYTE;

/** The description of the interface is made without an engine, from the defaults. */
export function fileBytesMax(codex: Codex | undefined): number {
  return (codex?.settings ?? settingsFrom({})).max_file_bytes;
}

export function jsonBytesMax(codex: Codex | undefined): number {
  return Math.min(fileBytesMax(codex) * ESCAPED, JSON_BYTES_MAX);
}
