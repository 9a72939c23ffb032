import { settingsFrom } from '../model/settings.ts';
import type { Engine } from '../service/engine.ts';

/** JSON may write one byte of content as six characters. */
const ESCAPED = 6;

/** The description of the interface is made without an engine, from the defaults. */
export function fileBytesMax(engine: Engine | undefined): number {
  return (engine?.codex.settings ?? settingsFrom({})).max_file_bytes;
}

export function jsonBytesMax(engine: Engine | undefined): number {
  return fileBytesMax(engine) * ESCAPED;
}
