import { watchLibrary } from '../adapters/watch-library.ts';
import type { Library } from '../model/library.ts';
import type { Operation, OperationOptions } from '../model/operation.ts';
import type { Audiobooks } from './audiobooks.ts';
import { scanLibrary } from './scan-library.ts';

export interface WatchRequest extends OperationOptions {
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
