import { isUtf8 } from 'node:buffer';

import { type CommandContext, commandLineErrors } from '@holdfast/cli';

import { readOutsideFile } from '../adapters/file-content.ts';
import { settingsFrom } from '../model/settings.ts';

type Context = CommandContext<{ readonly options: Readonly<Record<string, unknown>> }>;

async function contentOf({ options, stdin, env }: Pick<Context, 'options' | 'stdin' | 'env'>): Promise<Uint8Array> {
  const { content, from } = options as { readonly content?: string; readonly from?: string };
  if (content !== undefined && from !== undefined) {
    throw commandLineErrors.INVALID_ARGUMENT('Use either --content or --from, not both');
  }
  if (content !== undefined) return Buffer.from(content);
  if (from !== undefined) return bytesFrom(from);
  if (stdin.isTerminal) {
    throw commandLineErrors.MISSING_OPTION('No content: use --content, --from or standard input');
  }
  return stdin.bytes(settingsFrom(env).max_file_bytes);
}

function bytesFrom(file: string): Uint8Array {
  try {
    return readOutsideFile(file);
  } catch (error) {
    throw commandLineErrors.INVALID_ARGUMENT(`Cannot read ${file}: ${(error as Error).message}`, {
      cause: error,
      hint: 'Check the file name and your permission to read it.',
    });
  }
}

interface EncodedContent {
  readonly content: string;
  readonly encoding: 'utf8' | 'base64';
}

/** Reads the content for `write` from --content, --from or standard input. */
export async function readContent(context: Pick<Context, 'options' | 'stdin' | 'env'>): Promise<EncodedContent> {
  const bytes = await contentOf(context);
  const encoding = isUtf8(bytes) ? 'utf8' : 'base64';
  return { content: Buffer.from(bytes).toString(encoding), encoding };
}
