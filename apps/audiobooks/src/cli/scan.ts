import type { CommandContext } from '@holdfast/cli';
import type { Operation } from '../model/operation.ts';
import type { Library } from '../model/records.ts';
import type { Audiobooks } from '../service/audiobooks.ts';
import { addLibraryAt, allLibraries } from '../service/libraries.ts';
import { scanLibrary, watchLibraries } from '../service/scan-library.ts';
import { operationView } from '../service/views.ts';
import { localUser } from './data-commands.ts';
import { printResult } from './print.ts';
import { withAudiobooks } from './with-audiobooks.ts';

interface Input {
  readonly args: { readonly dir: readonly string[] };
  readonly options: { readonly watch: boolean };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  await withAudiobooks(context, async (audiobooks) => {
    const libraries = await chosenLibraries(audiobooks, context.args.dir);
    await (context.options.watch ? watch : scanEach)(context, audiobooks, libraries);
  });
}

async function chosenLibraries(audiobooks: Audiobooks, dirs: readonly string[]): Promise<readonly Library[]> {
  if (dirs.length === 0) return allLibraries(audiobooks);
  const libraries = new Map<string, Library>();
  for (const dir of dirs) {
    const library = await addLibraryAt(audiobooks, dir);
    libraries.set(library.id, library);
  }
  return [...libraries.values()];
}

function scanOptions({ env, signal }: CommandContext<Input>, { onProgress }: Audiobooks) {
  return { by: localUser(env), signal, onProgress };
}

/** Scans every library, even if one is unavailable; afterwards throws the first error. */
async function scanEach(
  context: CommandContext<Input>,
  audiobooks: Audiobooks,
  libraries: readonly Library[],
): Promise<void> {
  const { out, note, signal } = context;
  const done: Operation[] = [];
  const failures: unknown[] = [];
  for (const library of libraries) {
    if (signal.aborted) break;
    await scanLibrary(audiobooks, { ...scanOptions(context, audiobooks), library }).then(
      (operation) => done.push(operation),
      (error: unknown) => failures.push(error),
    );
  }
  if (failures.length > 0) {
    for (const { id, params } of done) note(`${String(params['root'])} was scanned (${id}).`);
    throw failures[0];
  }
  const views = done.map(operationView);
  out.result(views, (page) => {
    if (views.length === 0) page.line('No libraries yet. Give a folder to scan.');
    for (const view of views) printResult(view, page);
  });
}

/** Prints the result of each scan until interrupted. */
async function watch(
  context: CommandContext<Input>,
  audiobooks: Audiobooks,
  libraries: readonly Library[],
): Promise<void> {
  const { out, signal } = context;
  await watchLibraries(audiobooks, {
    ...scanOptions(context, audiobooks),
    signal,
    libraries,
    onScanned: (operation) => {
      const view = operationView(operation);
      out.item(view, (page) => printResult(view, page));
    },
    onProblem: ({ root }, message) => out.item({ root, problem: message }, (page) => page.line(message)),
  });
}
