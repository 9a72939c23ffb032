import type { CommandContext } from '@holdfast/cli';
import { toTime } from '../../model/stored.ts';
import { exportLibrary } from '../../service/transfer/export-library.ts';
import { withLibrary } from '../with-library.ts';

const CHUNK = 200;

/** The lines are the product and printed as they are, with and without `--json`. */
export async function run(context: CommandContext): Promise<void> {
  await withLibrary(context, async (audiobooks) => {
    let waiting: string[] = [];
    for await (const line of exportLibrary(audiobooks, toTime(audiobooks.now()))) {
      waiting.push(line);
      if (waiting.length < CHUNK) continue;
      context.out.raw(`${waiting.join('\n')}\n`);
      waiting = [];
    }
    if (waiting.length > 0) context.out.raw(`${waiting.join('\n')}\n`);
  });
}
