import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { exportBeads, type ExportOptions } from '../src/service/beads-export.ts';
import type { Ringmaster } from '../src/service/ringmaster.ts';

/** Exports a project and returns the content of the file. */
export async function beadsText(rm: Ringmaster, options: ExportOptions = {}): Promise<string> {
  const { path } = await exportBeads(rm, { ...options, path: join(rm.workspace.root, 'exported.jsonl') });
  return readFileSync(path, 'utf8');
}
