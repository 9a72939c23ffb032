import type { CommandContext, ExitCode } from '@holdfast/cli';
import { libraryRoot } from '../../adapters/library-root.ts';
import type { Library } from '../../model/library.ts';
import type { Operation } from '../../model/operation.ts';
import type { Catalogue } from '../../service/catalogue.ts';
import type { Engines } from '../../service/engines.ts';
import { libraryAt, listLibraries } from '../../service/libraries.ts';
import { scanLibrary } from '../../service/scan-library.ts';
import { barFor } from '../progress.ts';
import { printOutcome } from '../view/operation.ts';
import { personOf, withLibrary } from '../with-library.ts';

interface Input {
  readonly args: { readonly dir: readonly string[] };
  readonly options: { readonly watch: boolean };
}

export async function run(context: CommandContext<Input>): Promise<ExitCode | void> {
  const operations = await withLibrary(context, async (catalogue, engines) => {
    const libraries = await chosenLibraries(catalogue, context.args.dir);
    const done: Operation[] = [];
    for (const library of libraries) done.push(await scanOne(context, catalogue, engines, library));
    return done;
  });
  const data = operations.map(({ id, params, result }) => ({ operation: id, root: params['root'], ...result }));
  context.out.result(data, (page) => {
    if (operations.length === 0) page.line('There is no library yet: name a folder.');
    for (const operation of operations) printOutcome(page, operation);
  });
}

async function chosenLibraries(catalogue: Catalogue, folders: readonly string[]): Promise<readonly Library[]> {
  if (folders.length === 0) return listLibraries(catalogue);
  const libraries: Library[] = [];
  for (const folder of folders) libraries.push(await libraryAt(catalogue, libraryRoot(folder)));
  return libraries;
}

async function scanOne(
  context: CommandContext<Input>,
  catalogue: Catalogue,
  engines: Engines,
  library: Library,
): Promise<Operation> {
  using bar = barFor(context, library.name);
  const by = personOf(context.env);
  return scanLibrary(catalogue, engines, { library, by, signal: context.signal, onProgress: bar.onProgress });
}
