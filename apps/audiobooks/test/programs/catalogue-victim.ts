/** One operation on a library, as a command would run it: `catalogue-victim DATABASE ROOT ACTION`. */
import { engines } from '../../src/engines.ts';
import { createScanEngine } from '../../src/scan/engine.ts';
import { openCatalogue } from '../../src/service/catalogue.ts';
import { libraryAt } from '../../src/service/libraries.ts';
import { mergeBook } from '../../src/service/merge/encode-book.ts';
import { organiseBooks } from '../../src/service/organise-books.ts';
import { scanLibrary } from '../../src/service/scan-library.ts';
import { tagBook } from '../../src/service/tag-book.ts';
import { undoOperation } from '../../src/service/undo-operation.ts';
import { pageOfOperations } from '../../src/store/operations.ts';

const [path = '', root = '', action = ''] = process.argv.slice(2);
const catalogue = await openCatalogue({ path });
const library = await libraryAt(catalogue, root);
const by = 'victim';
const book = 'Long Story';

if (action === 'scan') {
  await scanLibrary(catalogue, { scan: createScanEngine({ settleMs: 0 }) }, { library, by });
} else if (action === 'organise') {
  await organiseBooks(catalogue, engines, { library, template: 'Sorted/{author}/{title}', by });
} else if (action === 'merge') {
  await mergeBook(catalogue, engines, { book, by });
} else if (action === 'tag') {
  await tagBook(catalogue, engines, { book, by });
} else {
  const { items } = await pageOfOperations(catalogue.store, undefined, { limit: 1 });
  await undoOperation(catalogue, engines, { operation: items[0]?.id ?? '', by });
}
await catalogue.store.close();
process.stdout.write('done\n');
