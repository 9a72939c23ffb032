import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { utaskErrors } from '../model/errors.ts';

export interface EditedText {
  readonly text: string;
  /** The file stays until `discard`, so that the text survives a failed command. */
  readonly path: string;
  readonly discard: () => void;
}

/** Opens a text in $VISUAL, $EDITOR or vi, as git does: through the shell, so that the variable may contain options. */
export function editText(initial: string, env: Readonly<Record<string, string | undefined>>): EditedText {
  const editor = [env['VISUAL'], env['EDITOR']].find((command) => command !== undefined && command !== '') ?? 'vi';
  const path = join(mkdtempSync(join(tmpdir(), 'ut-')), 'task.txt');
  const discard = (): void => rmSync(dirname(path), { recursive: true, force: true });
  writeFileSync(path, initial === '' ? '' : `${initial}\n`, { mode: 0o600 });
  const { status, error } = spawnSync('/bin/sh', ['-c', `${editor} "$@"`, editor, path], { stdio: 'inherit', env });
  if (status !== 0) {
    discard();
    throw utaskErrors.EDITOR_FAILED(`"${editor}" ended with ${status ?? 'a signal'}.`, { cause: error });
  }
  return { text: readFileSync(path, 'utf8'), path, discard };
}
