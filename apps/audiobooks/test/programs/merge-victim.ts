/** Merges the only book in a library, with a file in STATE in place of the database: `merge-victim ROOT STATE`. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { createMergeEngine } from '../../src/merge/engine.ts';
import { factsOf } from '../book-facts.ts';
import { testContext, writeDurably } from '../file-journal.ts';
import { scanTree } from '../tree.ts';

const [root = '', state = ''] = process.argv.slice(2);
const engine = createMergeEngine();
const known = join(state, 'known.json');
const isCommitted = (): Promise<boolean> => Promise.resolve(existsSync(known));
const journal = join(state, 'journal.json');
if (existsSync(journal) || existsSync(join(root, '.holdfast/work/OP1'))) {
  process.stdout.write(`recovered ${await engine.recover({ root, context: testContext(journal), isCommitted })}\n`);
}
if (await isCommitted()) {
  process.stdout.write(`known ${readFileSync(known, 'utf8')}\n`);
} else {
  const [book] = (await scanTree(root)).books;
  if (book === undefined) throw new Error('no book');
  const switchSegments = (encoded: readonly { readonly file: { readonly path: string } }[]): Promise<void> => {
    writeDurably(known, JSON.stringify(encoded.map(({ file }) => file.path)));
    return Promise.resolve();
  };
  await engine.merge({ root, book: factsOf(book, 'B'), context: testContext(journal), switchSegments });
}
process.stdout.write('done\n');
