import { MINUTE } from '@holdfast/base';
import { routesFor } from '@holdfast/http';

import * as corrections from '../operations/corrections.ts';
import * as files from '../operations/files.ts';
import * as operations from '../operations/operations.ts';
import type { Audiobooks } from '../service/audiobooks.ts';

/** Routes for file operations. They respond with 202, and the operation continues in the background. */
export function fileRoutes(app: Audiobooks) {
  const route = routesFor<Audiobooks>(() => app);
  const start = { method: 'POST', status: 202, idempotent: true } as const;
  return [
    route(files.scanLibrary, { ...start, path: '/operations/scan' }),
    route(files.previewOrganise, {
      method: 'POST',
      path: '/organise/preview',
      limits: { timeoutMs: 2 * MINUTE },
    }),
    route(files.organise, { ...start, path: '/operations/organise' }),
    route(files.previewMerge, { method: 'POST', path: '/merge/preview' }),
    route(files.mergeFiles, { ...start, path: '/operations/merge' }),
    route(files.transcode, { ...start, path: '/operations/transcode' }),
    route(files.previewTags, { method: 'POST', path: '/tag/preview', limits: { timeoutMs: 2 * MINUTE } }),
    route(files.writeTags, { ...start, path: '/operations/tag' }),
    route(corrections.previewCorrections, { method: 'POST', path: '/corrections/preview' }),
    route(corrections.runCorrections, { method: 'POST', path: '/corrections', idempotent: true }),
    route(files.listDuplicates, { method: 'GET', path: '/duplicates' }),
    route(files.mergeDuplicates, { method: 'POST', path: '/duplicates/merge', idempotent: true }),
    route(operations.listOperations, { method: 'GET', path: '/operations' }),
    route(operations.showOperation, { method: 'GET', path: '/operations/{operation}' }),
    route(operations.operationLog, { method: 'GET', path: '/operations/{operation}/log' }),
    route(operations.cancelOperation, { method: 'POST', path: '/operations/{operation}/cancel' }),
    route(operations.undoOperation, { ...start, path: '/operations/{operation}/undo' }),
  ] as const;
}
