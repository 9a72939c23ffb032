import { join } from 'node:path';

import { search } from '../../apps/codex/src/service/search.ts';
import { insertNotebook } from '../../apps/codex/src/store/notebooks.ts';
import { putNotes } from '../../apps/codex/src/store/notes.ts';
import { openStore, type Transaction } from '../../apps/codex/src/store/open.ts';
import { type Context, type Figure, median, quantile } from '../lib/harness.ts';
import { fillFiles, noteChange, Vocabulary } from './fixtures.ts';

const SHOWN = 20;
const WORDS_IN_NOTE = 50;

/**
 * Workload: 100,000 notes of about half a kilobyte; one or two words are typed letter by letter, and every state of the
 * line is searched. Ours: parse the line and return the best 20 with snippets, title, tags and properties. Baseline:
 * the equivalent FTS5 query with the same weights and snippets over the same table. The sides alternate.
 */
export async function benchmark({ folder, quick, progress }: Context): Promise<readonly Figure[]> {
  const notes = quick ? 2_000 : 100_000;
  const lines = quick ? 10 : 12;
  const store = await openStore({ path: join(folder, 'search.db') });
  const { id } = await store.write('notebook', (tx) => insertNotebook(tx, 'notes', folder, ''));
  const vocabulary = new Vocabulary(1);
  const started = performance.now();
  await fillFiles(store, id, notes, (tx, n) => putNotes(tx, id, [noteChange(n, vocabulary.note(n, WORDS_IN_NOTE))]));
  progress(`  ${notes} notes indexed in ${((performance.now() - started) / 1_000).toFixed(1)} s`);
  const tx = store.reader;
  const asked = Array.from({ length: lines }, () => typed(vocabulary)).flat();
  const ratios: number[] = [];
  const times: { ours: number[]; bare: number[] } = { ours: [], bare: [] };
  for (const [index, text] of asked.entries()) {
    const run = {
      ours: () => search(tx, [id], { query: text, tags: [], properties: [], limit: SHOWN }).data.length,
      bare: () => bareQuery(tx, text),
    };
    const order = index % 2 === 0 ? (['ours', 'bare'] as const) : (['bare', 'ours'] as const);
    const found: Record<string, number> = {};
    for (const kind of order) {
      const begun = performance.now();
      found[kind] = run[kind]();
      times[kind].push(performance.now() - begun);
    }
    if (found['ours'] !== found['bare'])
      throw new Error(`${text}: ${found['ours']} found, FTS5 finds ${found['bare']}`);
    ratios.push((times.ours.at(-1) ?? 0) / (times.bare.at(-1) ?? 1));
  }
  await store.close();
  const show = (kind: 'ours' | 'bare'): string =>
    `${median(times[kind]).toFixed(2)} ms, slowest hundredth ${quantile(times[kind], 0.99).toFixed(0)} ms`;
  progress(`  ours ${show('ours')}; bare ${show('bare')}`);
  const baseline = `the bare FTS5 query over ${notes} notes: ${show('bare')} (ours ${show('ours')})`;
  return [{ name: 'codex.search', value: median(ratios), unit: '×', baseline, goal: 2, better: 'lower' }];
}

/** Returns the typed line after each letter, from the third letter on. */
function typed(vocabulary: Vocabulary): readonly string[] {
  const words = `${vocabulary.word()} ${vocabulary.word()}`;
  return Array.from({ length: words.length - 2 }, (_, n) => words.slice(0, n + 3).trimEnd());
}

function bareQuery(tx: Transaction, text: string): number {
  const match = text
    .split(' ')
    .map((word) => `"${word}" *`)
    .join(' AND ');
  return tx.all(
    `SELECT rowid, rank, snippet(note_text, -1, '<', '>', '…', 24) FROM note_text
     WHERE note_text MATCH ? AND rank MATCH 'bm25(10.0, 5.0, 4.0, 2.0, 1.0)' ORDER BY rank LIMIT ?`,
    match,
    SHOWN,
  ).length;
}
