import { isUtf8 } from 'node:buffer';

import type { CommandContext } from '@holdfast/cli';

import { fileVersion } from '../../git/history.ts';
import type { Notebook } from '../../model/notebook.ts';
import type { NotebookPath } from '../../model/path.ts';
import type { Engine } from '../../service/engine.ts';
import { pastPath } from '../../service/known-path.ts';
import { fileNamed, readContent } from '../../service/read-files.ts';
import { chosenNotebook, type CodexContext, withCodex } from '../with-codex.ts';

interface Input {
  readonly args: { readonly path: string };
  readonly options: CodexContext['options'] & { readonly at: string | undefined };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { isJson, out } = context;
  await withCodex(context, async (engine) => {
    const notebook = chosenNotebook(engine, context);
    const path = pastPath(engine.codex.store.reader, notebook.id, context.args.path);
    const bytes = await bytesOf(engine, notebook, path, context.options.at);
    if (isJson) out.result({ path, size: bytes.length, ...contentOf(bytes) }, () => undefined);
    else out.raw(bytes);
  });
}

async function bytesOf(engine: Engine, notebook: Notebook, path: NotebookPath, at?: string): Promise<Uint8Array> {
  if (at !== undefined) return (await fileVersion(await engine.git.repository(notebook.id), path, at)).content;
  return await readContent(notebook, fileNamed(engine.codex.store.reader, notebook.id, path).path);
}

/** JSON holds text only. */
function contentOf(bytes: Uint8Array): Readonly<Record<'encoding' | 'content', string>> {
  const encoding = isUtf8(bytes) ? 'utf8' : 'base64';
  return { encoding, content: Buffer.from(bytes).toString(encoding) };
}
