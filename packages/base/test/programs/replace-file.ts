/** Replaces a file while the faults set in the environment occur, and prints the result. */
import { writeFileDurably, writeFileDurablySync } from '../../src/durable-file.ts';

const [path = '', kind = ''] = process.argv.slice(2);
try {
  if (kind === 'sync') writeFileDurablySync(path, 'new');
  else await writeFileDurably(path, 'new');
  console.log('written');
} catch (error) {
  console.log((error as NodeJS.ErrnoException).code);
}
