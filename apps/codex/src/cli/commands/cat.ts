import { isUtf8 } from 'node:buffer';

import type { CommandContext } from '@holdfast/cli';

import { fileVersion } from '../../git/history.ts';
import type { Notebook } from '../../model/notebook.ts';
import type { Codex } from '../../service/codex.ts';
import { pastPath, seenPath } from '../../service/paths.ts';
import { fileNamed, readContent } from '../../service/read-files.ts';
import { chosenNotebook, type CliContext, withCodex } from '../with-codex.ts';

interface Input {
  readonly args: { readonly path: string };
  readonly options: CliContext['options'] & { readonly at: string | undefined };
}

interface Found {
  readonly path: string;
  readonly bytes: Uint8Array;
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { isJson, out } = context;
  await withCodex(context, async (codex) => {
    const notebook = chosenNotebook(codex, context);
    const { path, bytes } = await found(codex, notebook, context.args.path, context.options.at);
    if (isJson) out.result({ path, size: bytes.length, ...contentOf(bytes) }, () => undefined);
    else out.raw(bytes);
  });
}

async function found(codex: Codex, notebook: Notebook, input: string, at: string | undefined): Promise<Found> {
  const { reader } = codex.store;
  if (at === undefined) {
    const { path } = fileNamed(reader, notebook.id, await seenPath(codex, notebook, input));
    return { path, bytes: await readContent(notebook, path) };
  }
  const path = pastPath(reader, notebook.id, input);
  return { path, bytes: (await fileVersion(await codex.git.repository(notebook.id), path, at)).content };
}

/** JSON holds text only. */
function contentOf(bytes: Uint8Array): Readonly<Record<'encoding' | 'content', string>> {
  const encoding = isUtf8(bytes) ? 'utf8' : 'base64';
  return { encoding, content: Buffer.from(bytes).toString(encoding) };
}
