import { type CommandContext, style } from '@holdfast/cli';
import type { OperationType } from '../../model/operation.ts';
import { cancelOperation } from '../../service/operations/cancel-operation.ts';
import { pageOfOperations, readLog, readOperation } from '../../store/operations.ts';
import { printOperations } from '../view/operation.ts';
import { withLibrary } from '../with-library.ts';

interface Input {
  readonly args: { readonly operation: string | undefined };
  readonly options: {
    readonly cancel: string | undefined;
    readonly type: OperationType | undefined;
    readonly after: number;
    readonly limit: number;
    readonly cursor: string | undefined;
  };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { args, options, out, note } = context;
  const { cancel, after, limit } = options;
  const id = args.operation?.toUpperCase();
  if (cancel !== undefined) {
    const operation = await withLibrary(context, (audiobooks) => cancelOperation(audiobooks, cancel.toUpperCase()));
    out.result({ ...operation }, (page) => page.line(`${operation.type} ${operation.id} is asked to stop.`));
    return;
  }
  if (id !== undefined) {
    const found = await withLibrary(context, async ({ store }) => ({
      operation: await readOperation(store, id),
      log: await readLog(store, id, after, limit),
    }));
    out.result(found, (page) => {
      printOperations(page, [found.operation]);
      for (const { seq, level, message } of found.log) {
        page.line(style.dim(String(seq).padStart(5)), ' ', level === 'info' ? '' : style.yellow(`${level} `), message);
      }
    });
    return;
  }
  const { items, cursor } = await withLibrary(context, ({ store }) => pageOfOperations(store, options.type, options));
  out.result(items, (page) => printOperations(page, items));
  if (cursor !== undefined) note(`There are more: --cursor ${cursor}`);
}
