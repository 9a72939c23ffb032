/** Runs one operation on a library: `operation-victim DATABASE ROOT ACTION`. */
import type { HoldfastError } from '@holdfast/base';
import { createScanEngine } from '../../src/scan/engine.ts';
import { fileEngines, openAudiobooks } from '../../src/service/audiobooks.ts';
import { libraryAt } from '../../src/service/libraries.ts';
import { mergeBook } from '../../src/service/merge/encode-book.ts';
import { organiseBooks } from '../../src/service/organise-books.ts';
import { scanLibrary } from '../../src/service/scan-library.ts';
import { tagBook } from '../../src/service/tag-book.ts';
import { undoOperation } from '../../src/service/operations/recover-operations.ts';
import { pageOfOperations } from '../../src/store/operations.ts';

const [path = '', root = '', action = ''] = process.argv.slice(2);
const audiobooks = await openAudiobooks({ path, engines: { ...fileEngines, scan: createScanEngine({ settleMs: 0 }) } });
const library = await libraryAt(audiobooks, root);
const by = 'victim';
const book = 'Long Story';

if (action === 'scan') {
  await scanLibrary(audiobooks, { library, by });
} else if (action === 'organise') {
  await organiseBooks(audiobooks, { library, template: 'Sorted/{author}/{title}', by });
} else if (action === 'merge') {
  await mergeBook(audiobooks, { book, by });
} else if (action === 'tag') {
  await tagBook(audiobooks, { book, by });
} else if (action === 'failures') {
  await scanLibrary(audiobooks, { library, by });
  for (const run of [
    () => tagBook(audiobooks, { book, by }),
    () => mergeBook(audiobooks, { book, by }),
    () => organiseBooks(audiobooks, { library, template: 'Sorted/{author}/{title}', by }),
  ])
    await run().catch((error: unknown) => process.stdout.write(`${(error as HoldfastError).code}\n`));
} else {
  const { items } = await pageOfOperations(audiobooks.store, undefined, { limit: 1 });
  await undoOperation(audiobooks, { operation: items[0]?.id ?? '', by });
}
await audiobooks.store.close();
process.stdout.write('done\n');
