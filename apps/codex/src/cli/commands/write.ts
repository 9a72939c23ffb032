import { type HoldfastError, isHoldfastError } from '@holdfast/base';
import { type CommandContext, commandLineErrors } from '@holdfast/cli';

import { readOutsideFile } from '../../adapters/file-content.ts';
import { settingsFrom } from '../../model/settings.ts';
import { discardEvent } from '../../service/event-actions.ts';
import { seenPath } from '../../service/paths.ts';
import type { Request } from '../../service/requests.ts';
import { fileAt } from '../../store/files.ts';
import { eventData, showEvent } from '../view/event.ts';
import { chosenNotebook, type CliContext, perform, withCodex } from '../with-codex.ts';

interface Input {
  readonly args: { readonly path: string };
  readonly options: CliContext['options'] & {
    readonly content: string | undefined;
    readonly from: string | undefined;
    readonly new: boolean;
    readonly title: string | undefined;
  };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { args, options, out } = context;
  const content = await contentOf(context);
  const metadata = options.title === undefined ? undefined : { title: options.title };
  await withCodex(context, async (codex) => {
    const notebook = chosenNotebook(codex, context);
    const path = await seenPath(codex, notebook, args.path);
    const update = (): Request | undefined => {
      const known = options.new ? undefined : fileAt(codex.store.reader, notebook.id, path);
      return known === undefined ? undefined : { type: 'update', file: { id: known.id }, content, metadata };
    };
    const request = update() ?? { type: 'create', path, content, metadata };
    const event = await perform(codex, context, notebook, request).catch(async (error: unknown) => {
      // Somebody was faster in making it. That it is there is no reason not to replace it.
      const again = isHoldfastError(error, 'FILE_EXISTS') ? update() : undefined;
      if (again === undefined) throw error;
      await discardEvent(codex, Number((error as HoldfastError).details?.['event_id']));
      return await perform(codex, context, notebook, again);
    });
    out.result(eventData(event), (page) => showEvent(page, event));
  });
}

async function contentOf({ options, stdin, env }: CommandContext<Input>): Promise<Uint8Array> {
  if (options.content !== undefined && options.from !== undefined) {
    throw commandLineErrors.INVALID_ARGUMENT('Give --content or --from, not both');
  }
  if (options.content !== undefined) return Buffer.from(options.content);
  if (options.from !== undefined) return bytesFrom(options.from);
  if (stdin.isTerminal)
    throw commandLineErrors.MISSING_OPTION('Say what to write: --content, --from or standard input');
  return stdin.bytes(settingsFrom(env).max_file_bytes);
}

function bytesFrom(file: string): Uint8Array {
  try {
    return readOutsideFile(file);
  } catch (error) {
    throw commandLineErrors.INVALID_ARGUMENT(`${file} cannot be read: ${(error as Error).message}`, {
      cause: error,
      hint: 'Check the name of the file and whether you may read it.',
    });
  }
}
