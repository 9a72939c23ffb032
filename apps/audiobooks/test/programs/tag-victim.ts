/** Writes tags into the only book in a library, or recovers from a crash: `tag-victim ROOT STATE write|recover`. */
import { join } from 'node:path';

import { createMergeEngine } from '../../src/merge/engine.ts';
import { createTagEngine } from '../../src/merge/tag-engine.ts';
import { factsOf } from '../book-facts.ts';
import { testContext } from '../file-journal.ts';
import { scanTree } from '../tree.ts';

const [root = '', state = '', action = ''] = process.argv.slice(2);
const context = testContext(join(state, 'journal.json'));
if (action === 'recover') {
  await createMergeEngine().recover({ root, context, isCommitted: () => Promise.resolve(false) });
} else {
  const [book] = (await scanTree(root)).books;
  if (book === undefined) throw new Error('no book');
  const facts = {
    ...factsOf(book, 'B'),
    title: 'Dune',
    authors: ['Frank Herbert'],
    chapters: [{ title: 'Arrakis', startMs: 0 }],
  };
  await createTagEngine().write({ root, book: facts, context, committed: () => Promise.resolve() });
}
process.stdout.write('done\n');
