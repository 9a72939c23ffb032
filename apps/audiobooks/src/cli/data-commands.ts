import { holdfastHome } from '@holdfast/base';
import { type CommandContext, type ExitCode, tellVerified } from '@holdfast/cli';
import { serveToolsInOrder } from '@holdfast/cli/mcp';
import { tools } from '../mcp/tools.ts';
import { encryptFields, keyPath } from '../service/audiobooks.ts';
import { exportLibrary, importFile } from '../service/transfer/export-import.ts';
import { verify } from '../service/verify.ts';
import { operationView } from '../service/views.ts';
import { printResult } from './print.ts';
import { withAudiobooks } from './with-audiobooks.ts';

const LINES_PER_WRITE = 200;

/** Prints the exported lines; `--json` makes no difference. */
export async function runExport(context: CommandContext): Promise<void> {
  await withAudiobooks(context, async (audiobooks) => {
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
  readonly args: { readonly file: string };
  readonly options: { readonly overwrite: boolean };
}

export async function runImport(context: CommandContext<ImportInput>): Promise<void> {
  const { args, options, out, env, signal, stdin } = context;
  const source = args.file === '-' ? { name: '-', lines: stdin.lines() } : args.file;
  const imported = await withAudiobooks(context, (audiobooks) =>
    importFile(audiobooks, { ...options, source, by: localUser(env), signal, onProgress: audiobooks.onProgress }),
  );
  if ('records' in imported) {
    const { records, unchanged } = imported;
    out.result(imported, (page) => page.line(`Imported ${records} records; ${unchanged} already existed.`));
  } else {
    const operation = operationView(imported);
    out.result(operation, (page) => printResult(operation, page));
  }
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

const MCP_INFO = {
  name: 'audiobooks',
  version: '0.1.0',
  instructions: 'The audiobook library of this machine: find books, see and set listening progress, manage playlists.',
} as const;

/** Serves until standard input ends. */
export async function runMcp(context: CommandContext): Promise<void> {
  await withAudiobooks(context, (audiobooks) =>
    serveToolsInOrder(context.stdin.lines(), context.out.raw, tools(audiobooks), MCP_INFO),
  );
}
