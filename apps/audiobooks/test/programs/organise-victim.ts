/** Organises a library, with a file in STATE in place of the database: `organise-victim ROOT STATE TEMPLATE`. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { createOrganiseEngine } from '../../src/organise/engine.ts';
import type { BookFacts, PlannedMove } from '../../src/model/engines.ts';
import { factsOf } from '../book-facts.ts';
import { testContext, writeDurably } from '../file-journal.ts';
import { scanTree } from '../tree.ts';

const [root = '', state = '', template = ''] = process.argv.slice(2);
const engine = createOrganiseEngine();
const context = testContext(join(state, 'journal.json'));
const known = join(state, 'known.json');
const readKnown = (): string[] => (existsSync(known) ? (JSON.parse(readFileSync(known, 'utf8')) as string[]) : []);
const keyOf = ({ bookId, to }: PlannedMove): string => `${bookId} ${to}`;

const recovered = await engine.recover({
  root,
  context,
  isCommitted: (moves) => Promise.resolve(moves.every((move) => readKnown().includes(keyOf(move)))),
});
process.stdout.write(`recovered ${recovered}\n`);
const { books } = await scanTree(root);
const facts = books.map((book): BookFacts => factsOf(book, book.title));
const plan = await engine.plan({ root, template, books: facts });
for (const { path, reason } of plan.refusals) process.stdout.write(`refused ${path}: ${reason}\n`);
for (const bookId of new Set(plan.moves.map((move) => move.bookId))) {
  const moves = plan.moves.filter((move) => move.bookId === bookId);
  const committed = (): Promise<void> => {
    writeDurably(known, JSON.stringify([...readKnown(), ...moves.map(keyOf)]));
    return Promise.resolve();
  };
  await engine.move({ root, moves, context, committed });
}
process.stdout.write('done\n');
