import type { CommandContext } from '@holdfast/cli';
import { archiveSession } from '../../service/archive-session.ts';
import { withNp } from '../with-np.ts';

interface Input {
  readonly args: { readonly sid: string | undefined };
  readonly options: { readonly reason: string | undefined; readonly session: string | undefined };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { args, options, out } = context;
  const session = args.sid ?? options.session;
  const archived = await withNp({ ...context, options: { ...options, session } }, (np, call) =>
    archiveSession(np, { ...call, reason: options.reason }),
  );
  const { sid } = archived.session;
  const message = archived.isNew ? `Session ${sid} is archived.` : `Session ${sid} is already archived.`;
  out.result({ session: archived.session, archived: archived.isNew, message }, (page) => page.line(message));
}
