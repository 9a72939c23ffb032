import { existsIn, presentRoot } from '../adapters/library-root.ts';
import { watchLibrary } from '../adapters/watch-library.ts';
import type { OperationContext } from '../model/engines.ts';
import { audiobookErrors } from '../model/errors.ts';
import type { Library } from '../model/records.ts';
import type { Operation, OperationOptions } from '../model/operation.ts';
import type { FileProblem } from '../model/scanned.ts';
import { units } from '../store/definitions.ts';
import { ScanSession } from './apply-scan/scan-session.ts';
import type { Audiobooks } from './audiobooks.ts';
import { noteScanned } from './libraries.ts';
import { forgetOriginals } from './operations/prune-operations.ts';
import { runOperation } from './operations/run-operation.ts';

interface ScanRequest extends OperationOptions {
  readonly library: Library;
  /** Only these folders, relative to the root. */
  readonly folders?: readonly string[];
}

/** Scans a library. A cancelled scan keeps its results, and the next one continues. */
export async function scanLibrary(audiobooks: Audiobooks, request: ScanRequest): Promise<Operation> {
  const { library, folders, by } = request;
  const isKnown = (await audiobooks.store.list(units, { library: library.id }, { limit: 1 })).length > 0;
  const root = presentRoot(library.root, !isKnown);
  const params = { library: library.id, root: library.root, ...(folders === undefined ? {} : { folders }) };
  const operation = { ...request, type: 'scan', target: `library:${library.id}`, params, createdBy: by } as const;
  return runOperation(audiobooks, operation, async (context) => {
    const session = new ScanSession(audiobooks, {
      libraryId: library.id,
      operationId: context.operationId,
      by,
      exists: existsIn,
      ...(folders === undefined ? {} : { within: folders }),
    });
    const summary = await audiobooks.engines.scan.scan({
      root: library.root,
      ...(folders === undefined ? {} : { folders }),
      memory: session.memory,
      receiver: reportingReceiver(session, context),
      signal: context.signal,
    });
    await session.flush();
    if (!summary.isCancelled) {
      if (presentRoot(library.root, !isKnown) !== root) {
        throw audiobookErrors.LIBRARY_UNAVAILABLE(`${library.root} was replaced by another folder during the scan.`);
      }
      await session.finish();
      await noteScanned(audiobooks, library.id);
      await forgetOriginals(audiobooks);
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
  readonly progress: (progress: { readonly files: number; readonly total: number }) => void;
} {
  const problem = ({ path, message }: FileProblem): void => context.log('warn', `${path}: ${message}`);
  return {
    async unit(scanned) {
      for (const found of scanned.problems) problem(found);
      await session.receiver.unit(scanned);
    },
    unchanged: session.receiver.unchanged,
    async problem(found) {
      problem(found);
      await session.receiver.problem(found);
    },
    progress: ({ files, total }) => context.progress(files, total, 'files'),
  };
}

interface WatchRequest extends OperationOptions {
  readonly signal: AbortSignal;
  readonly libraries: readonly Library[];
  readonly onScanned: (operation: Operation) => void;
  readonly onProblem: (library: Library, message: string) => void;
}

/** Scans each library, then rescans changed folders until aborted. */
export async function watchLibraries(audiobooks: Audiobooks, request: WatchRequest): Promise<void> {
  const { libraries, onScanned, onProblem, ...options } = request;
  const watches = libraries.map((library) =>
    watchLibrary({
      root: library.root,
      signal: request.signal,
      onChange: async (folders) => {
        const only = folders.includes('') ? {} : { folders };
        onScanned(await scanLibrary(audiobooks, { ...options, library, ...only }));
      },
      onProblem: (message) => onProblem(library, message),
    }),
  );
  await Promise.all(watches);
}
