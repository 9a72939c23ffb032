import type { CommandContext } from '@holdfast/cli';

import { followLog, type LogPiece, readLogs } from '../../service/logs.ts';
import { type RingmasterContext, withRingmaster } from '../with-ringmaster.ts';

interface Input {
  readonly args: { readonly task: string };
  readonly options: RingmasterContext['options'] & { readonly follow: boolean; readonly attempt: number | undefined };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { args, options, out, isJson } = context;
  const show = (piece: LogPiece): void => {
    if (isJson) out.item(piece, () => undefined);
    else out.raw(piece.text);
  };
  await withRingmaster(context, async (rm) => {
    const query = { task: args.task, attempt: options.attempt };
    if (options.follow) for await (const piece of followLog(rm, query, context.signal)) show(piece);
    else for (const piece of readLogs(rm, query)) show(piece);
  });
}
