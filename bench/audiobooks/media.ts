import { createRequire } from 'node:module';

import type { Context, Figure } from '../lib/harness.ts';

/** Reading, scanning and merging media files; needs ffmpeg. */
export async function benchmark(context: Context): Promise<readonly Figure[]> {
  // The parser that we compare with has a CommonJS part that needs `require` when bundled.
  Object.assign(globalThis, { require: createRequire(import.meta.url) });
  const { scanFigures } = await import('./scan.ts');
  const { mergeFigures } = await import('./merge.ts');
  return [...(await scanFigures(context)), ...(await mergeFigures(context))];
}
