import { holdfastHome } from '@holdfast/base';
import type { CommandContext, ExitCode } from '@holdfast/cli';
import { libraryRoot } from '../../adapters/library-root.ts';
import { watchLibrary } from '../../adapters/watch-library.ts';
import type { Library } from '../../model/library.ts';
import type { Operation } from '../../model/operation.ts';
import type { Audiobooks } from '../../service/audiobooks.ts';
import { libraryAt, listLibraries, refuseOverlap } from '../../service/libraries.ts';
import { scanLibrary } from '../../service/scan-library.ts';
import { barFor } from '../progress.ts';
import { printOutcome } from '../view/operation.ts';
import { personOf, withLibrary } from '../with-library.ts';

interface Input {
  readonly args: { readonly dir: readonly string[] };
  readonly options: { readonly watch: boolean };
}

export async function run(context: CommandContext<Input>): Promise<ExitCode | void> {
  if (context.options.watch) return watch(context);
  const operations = await withLibrary(context, async (audiobooks) => {
    const libraries = await chosenLibraries(context, audiobooks);
    const done: Operation[] = [];
    const failures: unknown[] = [];
    // A disk that is away must not keep the others from being looked at.
    for (const library of libraries) {
      if (context.signal.aborted) break;
      await scanOne(context, audiobooks, library).then(
        (operation) => done.push(operation),
        (error: unknown) => failures.push(error),
      );
    }
    if (failures.length === 0) return done;
    for (const { id, params } of done) context.note(`${String(params['root'])} was scanned (${id}).`);
    throw failures[0];
  });
  context.out.result(operations.map(dataOf), (page) => {
    if (operations.length === 0) page.line('There is no library yet: name a folder.');
    for (const operation of operations) printOutcome(page, operation);
  });
}

/** Each scan is told as it ends, until somebody ends the command. A watch begins with a look at everything. */
async function watch(context: CommandContext<Input>): Promise<void> {
  await withLibrary(context, async (audiobooks) => {
    const libraries = await chosenLibraries(context, audiobooks);
    const { signal } = context;
    const watches = libraries.map((library) =>
      watchLibrary({
        root: library.root,
        signal,
        onChange: async (folders) => {
          const within = folders.includes('') ? undefined : folders;
          const operation = await scanOne(context, audiobooks, library, within);
          context.out.item(dataOf(operation), (page) => printOutcome(page, operation));
        },
        onProblem: (message) =>
          context.out.item({ root: library.root, problem: message }, (page) => page.line(message)),
      }),
    );
    await Promise.all(watches);
  });
}

const dataOf = ({ id, params, result }: Operation) => ({ operation: id, root: params['root'], ...result });

async function chosenLibraries(
  { args, env }: CommandContext<Input>,
  audiobooks: Audiobooks,
): Promise<readonly Library[]> {
  if (args.dir.length === 0) return listLibraries(audiobooks);
  const libraries: Library[] = [];
  for (const root of new Set(args.dir.map(libraryRoot))) {
    await refuseOverlap(audiobooks, root, libraryRoot(holdfastHome(env)));
    libraries.push(await libraryAt(audiobooks, root));
  }
  return libraries;
}

async function scanOne(
  context: CommandContext<Input>,
  audiobooks: Audiobooks,
  library: Library,
  folders?: readonly string[],
): Promise<Operation> {
  using bar = barFor(context, library.name);
  const by = personOf(context.env);
  const within = folders === undefined ? {} : { folders };
  return scanLibrary(audiobooks, {
    library,
    by,
    ...within,
    signal: context.signal,
    onProgress: bar.onProgress,
  });
}
