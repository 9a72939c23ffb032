import { join } from 'node:path';

import { putNotes } from '../../apps/codex/src/store/notes.ts';
import { insertNotebook } from '../../apps/codex/src/store/notebooks.ts';
import { openStore } from '../../apps/codex/src/store/open.ts';
import { type Context, type Figure, median } from '../lib/harness.ts';
import { noteChange, timed, Vocabulary } from './fixtures.ts';

const IN_COMMIT = 50;

/**
 * Workload: notes of about a kilobyte with properties, tags and links. Ours: parse and index each with tags, properties
 * and links, 50 per durable commit as in the queue. Baseline: insert the same text into an FTS5 table with the same
 * tokenizer and prefixes, 50 per durable commit. The sides alternate, each with its own growing database.
 */
export async function benchmark({ folder, quick, progress }: Context): Promise<readonly Figure[]> {
  const rounds = quick ? 2 : 8;
  const notes = quick ? 200 : 2_500;
  const ours = await openStore({ path: join(folder, 'ours.db') });
  const hand = await openStore({ path: join(folder, 'hand.db') });
  await ours.write('notebook', (tx) => insertNotebook(tx, 'notes', folder, ''));
  await hand.derive((tx) =>
    tx.exec(
      `CREATE VIRTUAL TABLE by_hand USING fts5 (body, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3')`,
    ),
  );
  const vocabulary = new Vocabulary(1);
  const ratios: number[] = [];
  const rates: { ours: number; hand: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const texts = Array.from({ length: notes }, (_, n) => [round * notes + n, vocabulary.note(n)] as const);
    const groups = Array.from({ length: notes / IN_COMMIT }, (_, n) => texts.slice(n * IN_COMMIT, (n + 1) * IN_COMMIT));
    const byUs = await timed(async () => {
      for (const group of groups) {
        const changes = group.map(([n, text]) => noteChange(n, text));
        await ours.derive((tx) => putNotes(tx, 1, changes));
      }
    });
    const byHand = await timed(async () => {
      for (const group of groups) {
        await hand.derive((tx) => {
          for (const [n, text] of group) tx.run('INSERT INTO by_hand (rowid, body) VALUES (?, ?)', n + 1, text);
        });
      }
    });
    ratios.push(byHand / byUs);
    rates.push({ ours: (notes * 1_000) / byUs, hand: (notes * 1_000) / byHand });
    progress(`  ours ${rates.at(-1)?.ours.toFixed(0)}/s, by hand ${rates.at(-1)?.hand.toFixed(0)}/s`);
  }
  await ours.close();
  await hand.close();
  const rate = (kind: 'ours' | 'hand'): string => `${median(rates.map((each) => each[kind])).toFixed(0)}/s`;
  const baseline = `the same text into FTS5: ${rate('hand')} (ours ${rate('ours')}, with tags, properties and links)`;
  return [{ name: 'codex.index', value: median(ratios), unit: '×', baseline, goal: 0.5, better: 'higher' }];
}
