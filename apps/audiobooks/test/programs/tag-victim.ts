/** Writes tags into the only book of a library: `tag-victim ROOT STATE`. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { createTagEngine } from '../../src/merge/tag-engine.ts';
import { factsOf } from '../book-facts.ts';
import { testContext } from '../file-journal.ts';
import { scanTree } from '../tree.ts';

const [root = '', state = ''] = process.argv.slice(2);
const engine = createTagEngine();
const journal = join(state, 'journal.json');
const context = testContext(journal);
const written = (): Promise<void> => Promise.resolve();
if (existsSync(journal)) await engine.recover({ root, context, written });
const [book] = (await scanTree(root)).books;
if (book === undefined) throw new Error('no book');
const facts = { ...factsOf(book, 'B'), title: 'Dune', authors: ['Frank Herbert'] };
await engine.write({ root, book: facts, context, written });
process.stdout.write('done\n');
