/** The man pages of all commands, printed by the built commands themselves, written to dist/man. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { commands } from './commands.mjs';
import { writeAtomically } from './files.mjs';

export function writeManPages(out) {
  for (const { name } of commands) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(out, 'bin', name), '__man']);
    if (status !== 0) throw new Error(`${name} __man failed: ${stderr.toString()}`);
    writeAtomically(join(out, 'man', `${name}.1`), stdout);
  }
  writeAtomically(join(out, 'man/nasin.1'), '.so man1/np.1\n');
}
