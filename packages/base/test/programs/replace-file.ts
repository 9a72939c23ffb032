/** Replaces a file under the faults that the environment asks for, and prints what came of it. */
import { writeFileDurably, writeFileDurablySync } from '../../src/durable-file.ts';

const [path = '', kind = ''] = process.argv.slice(2);
try {
  if (kind === 'sync') writeFileDurablySync(path, 'new');
  else await writeFileDurably(path, 'new');
  console.log('written');
} catch (error) {
  console.log((error as NodeJS.ErrnoException).code);
}
