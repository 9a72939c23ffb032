import type { CommandContext } from '@holdfast/cli';
import { listKeys, type StoredKey } from '../../service/list-keys.ts';
import { type NpContext, withNp } from '../with-np.ts';

interface Input {
  readonly args: { readonly prefix: string | undefined };
  readonly options: NpContext['options'];
}

export async function run(context: CommandContext<Input>): Promise<void> {
  await withNp(context, async (np) => {
    const found: StoredKey[] = [];
    for await (const entry of listKeys(np, context.args.prefix ?? '')) found.push(entry);
    context.out.result(found, (page) => page.lines(found.map(({ key, value }) => `${key} ${value}`.trimEnd())));
  });
}
