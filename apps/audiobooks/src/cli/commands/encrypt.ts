import type { CommandContext } from '@holdfast/cli';
import { makeKeyFile, readKeyFile } from '../../adapters/key-file.ts';
import type { SealableName } from '../../store/encryption/sealer.ts';
import { turnOnEncryption } from '../../store/encryption/turn-on.ts';
import { keyPath, withLibrary } from '../with-library.ts';

interface Input {
  readonly args: { readonly fields: readonly SealableName[] };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const path = keyPath(context.env);
  const secret = readKeyFile(path) ?? makeKeyFile(path);
  const count = await withLibrary(context, ({ store }) => turnOnEncryption(store.engine, secret, context.args.fields));
  context.out.result({ key_file: path, encrypted: count }, (page) =>
    page.line(`${count} values are encrypted. Keep a copy of ${path} elsewhere.`),
  );
}
