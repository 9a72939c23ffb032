import { SECOND } from '@holdfast/base';
import type { Caller, GivenTo, InputOf } from '@holdfast/operation';

import { codexErrors } from '../model/errors.ts';
import { notebookPath, type NotebookPath } from '../model/path.ts';
import { eventsOfBatch } from '../store/events.ts';
import type { Codex } from './codex.ts';
import { bytesOf, metadataOf } from './files.ts';
import { writableNotebook } from './notebooks.ts';
import { knownPath } from './paths.ts';
import type { FileReference, Request } from './requests.ts';
import { publishFor } from './submit.ts';
import { batchView, type BatchView } from './views.ts';

import type * as operations from '../operations/files.ts';

type BatchInput = InputOf<typeof operations.runBatch>;

export async function runBatch(codex: Codex, input: BatchInput, caller: Caller): Promise<BatchView> {
  const notebook = writableNotebook(codex, input.notebook);
  const { reader } = codex.store;
  const known = (path: string): NotebookPath => knownPath(reader, notebook.id, path);
  const requests = (): Request[] => input.operations.map((operation) => requestOf(operation, known));
  const { events } = await publishFor(codex, notebook, caller, requests, { input, isBatch: true });
  const [last] = events.slice(-1);
  const correlationId = last?.correlation_id ?? '';
  if (last === undefined || input.wait === undefined) return batchView(correlationId, events);
  await codex.wait(last.id, input.wait * SECOND, caller.signal);
  return batchView(correlationId, eventsOfBatch(reader, correlationId));
}

export function showBatch(codex: Codex, { correlation_id }: GivenTo<typeof operations.showBatch>): BatchView {
  const events = eventsOfBatch(codex.store.reader, correlation_id);
  if (events.length === 0) throw codexErrors.EVENT_NOT_FOUND(`There is no batch ${correlation_id}`);
  return batchView(correlation_id, events);
}

function requestOf(operation: BatchInput['operations'][number], known: (path: string) => NotebookPath): Request {
  switch (operation.type) {
    case 'create': {
      const content = bytesOf(operation.content, operation.encoding);
      return { type: 'create', path: notebookPath(operation.path), content, metadata: metadataOf(operation) };
    }
    case 'update': {
      const { content, encoding, base_hash } = operation;
      return {
        type: 'update',
        file: fileIn(operation, known),
        content: content === undefined ? undefined : bytesOf(content, encoding),
        metadata: metadataOf(operation),
        base_hash,
      };
    }
    case 'move': {
      const { dest_path, keep_links } = operation;
      const file = fileIn(operation, known);
      return { type: 'move', file, dest_path: notebookPath(dest_path), links: keep_links ? 'keep' : undefined };
    }
    case 'move_folder': {
      const { path, dest_path, keep_links } = operation;
      const links = keep_links ? 'keep' : undefined;
      return { type: 'move_folder', path: known(path), dest_path: notebookPath(dest_path), links };
    }
    case 'delete':
      return { type: 'delete', file: fileIn(operation, known) };
    case 'delete_folder':
      return { type: 'delete_folder', path: known(operation.path) };
    case 'create_folder':
    default:
      return { type: 'create_folder', path: notebookPath(operation.path) };
  }
}

function fileIn(
  { file_id, path = '' }: { readonly file_id?: string | undefined; readonly path?: string | undefined },
  known: (path: string) => NotebookPath,
): FileReference {
  return file_id === undefined ? { path: known(path) } : { id: file_id };
}
