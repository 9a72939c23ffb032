import { MEBIBYTE } from '@holdfast/base';

import { settingsFrom } from '../model/settings.ts';
import type { Engine } from '../service/engine.ts';

/** JSON may write one byte of content as six characters. */
const ESCAPED = 6;
/** A body of JSON is in memory several times; longer files come as uploads. */
const JSON_BYTES_MAX: number = 64 * MEBIBYTE;

/** The description of the interface is made without an engine, from the defaults. */
export function fileBytesMax(engine: Engine | undefined): number {
  return (engine?.codex.settings ?? settingsFrom({})).max_file_bytes;
}

export function jsonBytesMax(engine: Engine | undefined): number {
  return Math.min(fileBytesMax(engine) * ESCAPED, JSON_BYTES_MAX);
}
