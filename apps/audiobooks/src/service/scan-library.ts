import { existsIn } from '../adapters/library-root.ts';
import type { Library } from '../model/library.ts';
import type { Operation } from '../model/operation.ts';
import { ScanSession } from './apply-scan/scan-session.ts';
import type { Catalogue } from './catalogue.ts';
import type { Asking, Engines } from './engines.ts';
import { noteScanned } from './libraries.ts';
import { forgetOriginals } from './operations/forget-originals.ts';
import { runOperation } from './operations/run-operation.ts';
import type { OperationContext } from './ports.ts';

export interface ScanRequest extends Asking {
  readonly library: Library;
  /** Only these folders of it, relative to its root. */
  readonly folders?: readonly string[];
}

/** Looks through a library and brings the catalogue in line. Cancelled, it keeps what it found; the next one goes on. */
export function scanLibrary(
  catalogue: Catalogue,
  engines: Pick<Engines, 'scan'>,
  request: ScanRequest,
): Promise<Operation> {
  const { library, folders, by } = request;
  const params = { library: library.id, root: library.root, ...(folders === undefined ? {} : { folders }) };
  const operation = { ...request, type: 'scan', target: `library:${library.id}`, params, createdBy: by } as const;
  return runOperation(catalogue, operation, async (context) => {
    const session = new ScanSession(catalogue, {
      libraryId: library.id,
      operationId: context.operationId,
      by,
      exists: existsIn(library.root),
      ...(folders === undefined ? {} : { within: folders }),
    });
    const summary = await engines.scan.scan({
      root: library.root,
      ...(folders === undefined ? {} : { folders }),
      memory: session.memory,
      receiver: reportingReceiver(session, context),
      signal: context.signal,
    });
    await session.flush();
    if (!summary.isCancelled) {
      await session.finish();
      await noteScanned(catalogue, library.id);
      await forgetOriginals(catalogue);
    }
    context.signal.throwIfAborted();
    const { isCancelled: _, ...counts } = summary;
    return { result: { ...counts, ...session.outcome, problems: summary.problems } };
  });
}

function reportingReceiver(
  session: ScanSession,
  context: OperationContext,
): ScanSession['receiver'] & {
  readonly problem: (problem: { readonly path: string; readonly message: string }) => void;
  readonly progress: (progress: { readonly files: number; readonly total: number }) => void;
} {
  const problem = ({ path, message }: { readonly path: string; readonly message: string }): void =>
    context.log('warn', `${path}: ${message}`);
  return {
    async unit(scanned) {
      for (const found of scanned.problems) problem(found);
      await session.receiver.unit(scanned);
    },
    unchanged: session.receiver.unchanged,
    problem,
    progress: ({ files, total }) => context.progress(files, total, 'files'),
  };
}
