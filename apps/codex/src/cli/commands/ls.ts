import type { CommandContext } from '@holdfast/cli';

import { knownPath } from '../../service/known-path.ts';
import { listFiles } from '../../store/files.ts';
import { chosenNotebook, type CodexContext, withCodex } from '../with-codex.ts';

interface Input {
  readonly args: { readonly folder: string | undefined };
  readonly options: CodexContext['options'] & { readonly limit: number };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { args, options, out } = context;
  await withCodex(context, async (engine) => {
    const { reader } = engine.codex.store;
    const { id } = chosenNotebook(engine, context);
    const folder = args.folder === undefined ? undefined : knownPath(reader, id, args.folder);
    const files = listFiles(reader, id, { folder, limit: options.limit }).map((row) => ({
      id: row.id,
      path: row.path,
      size: row.size,
      hash: row.hash,
      title: row.title,
      updated_at: row.updated_at,
      git_tracked: row.git_tracked === 1,
      git_reason: row.git_reason,
    }));
    out.result(files, (page) =>
      page.table(files, [
        { heading: 'PATH', value: ({ path }) => path, flexible: true },
        { heading: 'BYTES', value: ({ size }) => String(size) },
        { heading: 'CHANGED', value: ({ updated_at }) => updated_at },
        { heading: 'GIT', value: ({ git_reason }) => git_reason ?? '' },
      ]),
    );
  });
}
