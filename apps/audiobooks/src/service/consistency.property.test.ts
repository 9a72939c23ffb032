import { isHoldfastError } from '@holdfast/base';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { scanFinds, scannedBook, scannedFile, temporaryAudiobooks } from '../../test/audiobooks.ts';
import { listenTo } from '../../test/listening.ts';
import type { Operation } from '../model/operation.ts';
import type { ScannedBook } from '../model/scanned.ts';
import { authors, books, series } from '../store/definitions.ts';
import type { Audiobooks } from './audiobooks.ts';
import { deleteBook, editBook, restoreBook } from './changes/edit-book.ts';
import { mergeBooks } from './changes/merge-books.ts';
import { editAuthor, mergeAuthors, mergeSeries } from './changes/merge-groups.ts';
import { undoChange } from './changes/undo-change.ts';
import { importMetadata } from './transfer/import-metadata.ts';
import { verify } from './verify.ts';

/** After any sequence of changes, every index, total, timeline, derived field and count must be right. */

const NAMES = ['Ann Author', 'ANN  AUTHOR', 'B. C. Writer', 'BC Writer', 'Dora', 'Дора'];
const TITLES = ['Dune', 'Dune: Two', 'The Dune', 'Emma', '!!!', 'x'.repeat(300)];
const by = 'test';

interface Step {
  readonly kind: number;
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

class Run {
  readonly audiobooks: Audiobooks;
  readonly done: Operation[] = [];

  constructor(audiobooks: Audiobooks) {
    this.audiobooks = audiobooks;
  }

  async book(n: number): Promise<string | undefined> {
    const all = await this.audiobooks.store.list(books, {});
    return all[n % Math.max(1, all.length)]?.id;
  }

  /** Scans one to four folders, each with one to three of twelve files. Names and paths keep changing. */
  scan({ a, b, c }: Step): Promise<unknown> {
    const found: ScannedBook[] = [];
    for (let folder = 0; folder <= a % 4; folder++) {
      const files = Array.from({ length: 1 + ((b + folder) % 3) }, (_, part) =>
        scannedFile(`F${(folder + c) % 5}/${part}.mp3`, (folder * 3 + part + b) % 12),
      );
      if (found.some((other) => other.files.some(({ inode }) => files.some((file) => file.inode === inode)))) continue;
      found.push(
        scannedBook(`F${(folder + c) % 5}`, files, {
          title: TITLES[(a + folder) % TITLES.length]!,
          authors: (b + folder) % 5 === 0 ? [] : [NAMES[(b + folder) % NAMES.length]!, NAMES[c % NAMES.length]!],
          narrators: [NAMES[(a + c) % NAMES.length]!],
          series: c % 2 === 0 ? [] : [{ name: TITLES[b % TITLES.length]!, sequence: String(c) }],
          genres: [TITLES[c % TITLES.length]!],
          ...(a % 3 === 0 ? { isbn: '9780804429573' } : {}),
        }),
      );
    }
    return scanFinds(this.audiobooks, found);
  }

  async take({ kind, a, b, c }: Step): Promise<void> {
    const { audiobooks } = this;
    const id = await this.book(a);
    if (kind === 0 || id === undefined) {
      await this.scan({ kind, a, b, c });
      return;
    }
    const people = await audiobooks.store.list(authors, {});
    const rows = await audiobooks.store.list(series, {});
    const pick = <T>(items: readonly T[], n: number): T => items[n % items.length]!;
    if (kind === 1) {
      const set = {
        title: pick(TITLES, b),
        authors: [pick(NAMES, c)],
        tags: [pick(NAMES, b)],
        series: [{ name: pick(TITLES, c), sequence: '1' }],
      };
      this.done.push((await editBook(audiobooks, { book: id, set, by })).operation);
    } else if (kind === 2 && people.length > 1) {
      const request = { keep: pick(people, a).id, others: [pick(people, b).id], by };
      this.done.push((await mergeAuthors(audiobooks, request)).operation);
    } else if (kind === 3 && rows.length > 1) {
      const request = { keep: pick(rows, a).id, others: [pick(rows, b).id], by };
      this.done.push((await mergeSeries(audiobooks, request)).operation);
    } else if (kind === 4) {
      await (b % 2 === 0 ? deleteBook(audiobooks, id) : restoreBook(audiobooks, id));
    } else if (kind === 5) {
      const other = (await this.book(b))!;
      if (other !== id) this.done.push((await mergeBooks(audiobooks, { keep: id, other, by })).operation);
    } else if (kind === 6 && people.length > 0) {
      await editAuthor(audiobooks, { author: pick(people, a).id, name: pick(NAMES, b), addAliases: [pick(NAMES, c)] });
    } else if (kind === 7) {
      const lines = [JSON.stringify({ title: pick(TITLES, a), author: pick(NAMES, b), year: c, genres: ['New'] })];
      this.done.push(await importMetadata(audiobooks, { lines, source: 'x', overwrite: true, by }));
    } else if (kind === 8) {
      const operation = this.done.pop();
      if (operation?.undoable === true) await undoChange(audiobooks, operation, by);
    } else if ((await audiobooks.store.get(books, { id }))!.segment_count > 0) {
      await listenTo(audiobooks, id, 0, b, `U${c % 3}`);
    }
  }
}

it('is consistent after any sequence of scans, edits, merges, deletions, imports and undos', async () => {
  const number = fc.nat({ max: 30 });
  const step = fc.record({ kind: fc.nat({ max: 9 }), a: number, b: number, c: number });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const run = new Run(await temporaryAudiobooks());
      for (const each of steps) {
        try {
          await run.take(each);
        } catch (error) {
          // Undo may be refused because of a later change; a refusal must change nothing.
          if (!isHoldfastError(error, 'UNDO_CONFLICT') && !isHoldfastError(error, 'NOT_UNDOABLE')) throw error;
        }
      }
      expect((await verify(run.audiobooks, false)).problems).toEqual([]);
      await run.audiobooks.store.close();
    }),
    { numRuns: Number(process.env['HOLDFAST_CONSISTENCY_RUNS'] ?? 25), endOnFailure: false },
  );
});
