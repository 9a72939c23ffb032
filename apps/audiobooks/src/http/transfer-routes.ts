import { MINUTE } from '@holdfast/base';
import { bytes, defineRoute, ok } from '@holdfast/http';
import { z } from 'zod';

import { linesOfStream } from '../adapters/lines.ts';
import { audiobookErrors } from '../model/errors.ts';
import { toTime } from '../model/stored.ts';
import type { Audiobooks } from '../service/audiobooks.ts';
import { exportLibrary } from '../service/transfer/export-library.ts';
import { importLibrary } from '../service/transfer/import-library.ts';
import { managePermission } from './caller.ts';

const LINES = 'application/x-ndjson';
const IMPORT_BYTES_MAX: number = 2 * 1024 ** 3;
const PIECE = 64 * 1024;

export function transferRoutes(app: Audiobooks) {
  const give = defineRoute({
    method: 'GET',
    path: '/export',
    permission: managePermission,
    summary: 'Everything but the sound, one JSON value per line, of one moment',
    responses: { 200: bytes(LINES) },
    handler: () => {
      const lines = exportLibrary(app, toTime(app.now()));
      return new Response(streamOf(lines), {
        headers: { 'content-type': LINES, 'content-disposition': 'attachment; filename="audiobooks.jsonl"' },
      });
    },
  });
  const take = defineRoute({
    method: 'POST',
    path: '/import',
    permission: managePermission,
    summary: 'Take in an export; doing it twice changes nothing',
    request: { upload: { types: [LINES], limitBytes: IMPORT_BYTES_MAX } },
    responses: { 200: z.object({ records: z.int(), unchanged: z.int() }) },
    errors: [audiobookErrors.IMPORT_INVALID],
    limits: { timeoutMs: 60 * MINUTE },
    handler: async ({ upload }) => ok(await importLibrary(app, linesOfStream(upload.stream))),
  });
  return [give, take] as const;
}

/** Lines as bytes, put together to pieces worth sending; nothing is read before it is wanted. */
function streamOf(lines: AsyncGenerator<string, void, undefined>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        let piece = '';
        while (piece.length < PIECE) {
          const next = await lines.next();
          if (next.done === true) {
            if (piece !== '') controller.enqueue(encoder.encode(piece));
            controller.close();
            return;
          }
          piece += `${next.value}\n`;
        }
        controller.enqueue(encoder.encode(piece));
      },
      async cancel() {
        await lines.return();
      },
    },
    { highWaterMark: 0 },
  );
}
