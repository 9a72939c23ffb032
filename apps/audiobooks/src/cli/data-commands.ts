import { resolve } from 'node:path';
import { holdfastHome } from '@holdfast/base';
import { type CommandContext, type ExitCode, type Page, tellVerified } from '@holdfast/cli';
import { serveTools } from '@holdfast/cli/mcp';
import { server, tools } from '../mcp/tools.ts';
import { saveCopy } from '../adapters/ebook-files.ts';
import { writeProviderCommand } from '../adapters/provider-command.ts';
import { audiobookErrors } from '../model/errors.ts';
import { encryptFields, keyPath } from '../service/audiobooks.ts';
import { openEbook } from '../service/ebooks.ts';
import { localListener } from '../service/listener.ts';
import { disableProvider, enableProvider } from '../service/metadata/match.ts';
import { exportLibrary, importFile } from '../service/transfer/export-import.ts';
import {
  type AudiobookshelfPreview,
  type AudiobookshelfSource,
  importAudiobookshelf,
  previewAudiobookshelf,
} from '../service/transfer/from-audiobookshelf.ts';
import { exportToAudiobookshelf } from '../service/transfer/to-audiobookshelf.ts';
import { verify } from '../service/verify.ts';
import { operationView } from '../service/views.ts';
import { printResult } from './print.ts';
import { withAudiobooks } from './with-audiobooks.ts';

const LINES_PER_WRITE = 200;

interface ExportInput {
  readonly options: { readonly toAudiobookshelf: string | undefined };
}

/** Prints the exported lines; `--json` makes no difference. */
export async function runExport(context: CommandContext<ExportInput>): Promise<void> {
  const { toAudiobookshelf: dir } = context.options;
  if (dir !== undefined) {
    const written = await withAudiobooks(context, (audiobooks) => exportToAudiobookshelf(audiobooks, resolve(dir)));
    return context.out.result(written, (page) => {
      page.line(`Wrote ${written.files} metadata.json files to ${resolve(dir)}.`);
      if (written.without_folder > 0) page.line(`${written.without_folder} books have no folder of their own.`);
    });
  }
  return withAudiobooks(context, async (audiobooks) => {
    let waiting: string[] = [];
    for await (const line of exportLibrary(audiobooks)) {
      waiting.push(line);
      if (waiting.length < LINES_PER_WRITE) continue;
      context.out.raw(`${waiting.join('\n')}\n`);
      waiting = [];
    }
    if (waiting.length > 0) context.out.raw(`${waiting.join('\n')}\n`);
  });
}

interface ImportInput {
  readonly args: { readonly file: string | undefined };
  readonly options: {
    readonly overwrite: boolean;
    readonly fromAudiobookshelf: string | undefined;
    readonly folder: readonly string[];
    readonly dryRun: boolean;
  };
}

export async function runImport(context: CommandContext<ImportInput>): Promise<void> {
  const { args, options, out, env, signal, stdin } = context;
  const { fromAudiobookshelf: dir, overwrite } = options;
  if ((args.file === undefined) === (dir === undefined)) {
    throw audiobookErrors.IMPORT_INVALID('Give either a file or --from-audiobookshelf.');
  }
  if (dir !== undefined) return runMigration(context, { dir: resolve(dir), folders: options.folder });
  const file = args.file ?? '';
  const source = file === '-' ? { name: '-', lines: stdin.lines() } : file;
  const imported = await withAudiobooks(context, (audiobooks) =>
    importFile(audiobooks, { overwrite, source, by: localUser(env), signal, onProgress: audiobooks.onProgress }),
  );
  if ('records' in imported) {
    const { records, unchanged } = imported;
    out.result(imported, (page) => page.line(`Imported ${records} records; ${unchanged} already existed.`));
  } else {
    const operation = operationView(imported);
    out.result(operation, (page) => printResult(operation, page));
  }
}

async function runMigration(context: CommandContext<ImportInput>, source: AudiobookshelfSource): Promise<void> {
  const { out, env, signal, options } = context;
  const preview = await previewAudiobookshelf(source);
  if (options.dryRun) return out.result(preview, (page) => printPreview(preview, page));
  const done = await withAudiobooks(context, (audiobooks) =>
    importAudiobookshelf(audiobooks, { ...source, by: localUser(env), signal, onProgress: audiobooks.onProgress }),
  );
  const operation = operationView(done);
  out.result(operation, (page) => {
    printPreview(preview, page);
    printResult(operation, page);
  });
}

function printPreview({ folders, ...counts }: AudiobookshelfPreview, page: Page): void {
  const rows = Object.entries(counts).filter(([, count]) => count > 0);
  page.table(rows, [
    { heading: 'IN AUDIOBOOKSHELF', value: ([name]) => name.replaceAll('_', ' ') },
    { heading: 'COUNT', value: ([, count]) => String(count), align: 'right' },
  ]);
  page.table(folders, [
    { heading: 'LIBRARY', value: ({ library }) => library },
    { heading: 'FOLDER THERE', value: ({ path }) => path },
    { heading: 'FOLDER HERE', value: ({ here }) => here ?? 'missing; give its path with --folder FROM=TO' },
  ]);
}

export function localUser(env: CommandContext['env']): string {
  return env['USER'] ?? env['LOGNAME'] ?? 'unknown';
}

interface VerifyInput {
  readonly options: { readonly repair: boolean };
}

export async function runVerify(context: CommandContext<VerifyInput>): Promise<ExitCode> {
  using bar = context.progress('Checking');
  const report = await withAudiobooks(context, (audiobooks) => verify(audiobooks, context.options.repair));
  bar.finish();
  return tellVerified(context.out, report);
}

interface EncryptInput {
  readonly args: { readonly fields: Parameters<typeof encryptFields>[2] };
}

export async function runEncrypt(context: CommandContext<EncryptInput>): Promise<void> {
  const path = keyPath(holdfastHome(context.env), context.env);
  const count = await withAudiobooks(context, (audiobooks) => encryptFields(audiobooks, path, context.args.fields));
  context.out.result({ key_file: path, encrypted: count }, (page) =>
    page.line(`Encrypted ${count} values. Keep a copy of ${path} elsewhere.`),
  );
}

interface ProviderInput {
  readonly args: { readonly command: readonly string[] };
  readonly options: { readonly host: readonly string[] };
}

/** Sets the program that supplies book metadata, and enables it. Running this command counts as consent. */
export async function runProviderCommand(context: CommandContext<ProviderInput>): Promise<void> {
  const { command } = context.args;
  const { host: hosts } = context.options;
  await withAudiobooks(context, async (audiobooks) => {
    writeProviderCommand(audiobooks.home, { command: [...command], hosts: [...hosts] });
    const provider = 'command';
    await (command.length === 0 ? disableProvider(audiobooks, { provider }) : enableProvider(audiobooks, { provider }));
  });
  context.out.result({ command, hosts }, (page) =>
    page.line(command.length === 0 ? 'Removed the command.' : `Searches now run ${command.join(' ')}.`),
  );
}

interface SaveInput {
  readonly args: { readonly book: string; readonly name: string; readonly file: string };
}

export async function runSaveEbook(context: CommandContext<SaveInput>): Promise<void> {
  const { file, ...wanted } = context.args;
  const to = resolve(file);
  const size = await withAudiobooks(context, async (audiobooks) => {
    const ebook = await openEbook(audiobooks, localListener(localUser(context.env)), wanted);
    await saveCopy(ebook.fd, to);
    return ebook.size;
  });
  context.out.result({ file: to, size_bytes: size }, (page) => page.line(`Saved ${to}.`));
}

/** Serves until standard input ends. */
export async function runMcp(context: CommandContext): Promise<void> {
  await withAudiobooks(context, (audiobooks) =>
    serveTools(tools(audiobooks, { name: 'agent' }), server, { isOrdered: true }),
  );
}
