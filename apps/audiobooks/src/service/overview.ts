import { isHoldfastError, titleScore } from '@holdfast/base';
import type {
  ActivityItem,
  AttentionItem,
  Demo,
  Caller,
  FoundItem,
  OpenedOverview,
  Overview,
} from '@holdfast/operation';

import { summaryOf, type Operation } from '../model/operation.ts';
import { pageOfOperations } from '../store/operations.ts';
import { type Audiobooks, openAudiobooks, storeLocation } from './audiobooks.ts';
import { search, showBook } from './handlers/books.ts';
import { addLibraryAt, allLibraries, removeLibrary } from './libraries.ts';
import { listenerOf } from './listener.ts';
import { scanLibrary } from './scan-library.ts';

export async function openOverview(
  home: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<OpenedOverview> {
  const audiobooks = await openAudiobooks(storeLocation(home, env));
  return { ...overview(audiobooks), close: () => audiobooks.close({ processIsEnding: true }) };
}

/** Supplies audiobooks data to pages and commands that cover all applications. */
export function overview(audiobooks: Audiobooks): Overview {
  return {
    async find({ words, limit }, caller) {
      const { books, authors, series, narrators } = await search(audiobooks, { q: words.join(' ') }, caller);
      const lower = words.map((word) => word.toLowerCase());
      const found = books.map((book): FoundItem => ({
        app: 'audiobooks',
        kind: 'book',
        id: book.id,
        title: book.title,
        detail: book.authors.map(({ name }) => name).join(', '),
        state: book.progress === null ? null : book.progress.finished ? 'finished' : 'started',
        path: `/books/${book.id}`,
        at: book.added_at,
        score: titleScore(book.title.toLowerCase(), lower),
      }));
      const groups = { author: authors, series, narrator: narrators };
      for (const [kind, named] of Object.entries(groups)) {
        for (const { id, name, books: count } of named) {
          found.push({
            app: 'audiobooks',
            kind,
            id,
            title: name,
            detail: count === 1 ? '1 book' : `${count} books`,
            state: null,
            path: `/books/${kind === 'series' ? kind : `${kind}s`}/${encodeURIComponent(id)}`,
            at: null,
            score: titleScore(name.toLowerCase(), lower),
          });
        }
      }
      return found.toSorted((left, right) => right.score - left.score).slice(0, limit);
    },
    inbox: (caller) => failedOperations(audiobooks, caller),
    activity: (limit, caller) => activity(audiobooks, limit, caller),
    demo: demo(audiobooks),
    describe: (path, caller) => describeBook(audiobooks, path, caller),
  };
}

function demo(audiobooks: Audiobooks): Demo {
  return {
    async create(folder, { name }) {
      const library = await addLibraryAt(audiobooks, folder, 'Demo library');
      await scanLibrary(audiobooks, { library, by: name });
      return library.id;
    },
    async remove(library, caller) {
      const all = await allLibraries(audiobooks);
      if (all.some(({ id }) => id === library)) await removeLibrary(audiobooks, { library }, caller);
    },
  };
}

async function activity(audiobooks: Audiobooks, limit: number, caller: Caller): Promise<readonly ActivityItem[]> {
  const { can } = await listenerOf(audiobooks, caller);
  if (!can.manage) return [];
  const { items } = await pageOfOperations(audiobooks.reader, undefined, { limit });
  return items.map((operation) => ({
    app: 'audiobooks',
    at: operation.completed_at ?? operation.created_at,
    who: operation.created_by,
    is_automatic: operation.type === 'scan',
    text: operation.status === 'failed' ? 'failed at' : 'started',
    title: typeTexts[operation.type].toLowerCase(),
    path: `/books/operations/${operation.id}`,
  }));
}

async function describeBook(audiobooks: Audiobooks, path: string, caller: Caller): Promise<FoundItem | undefined> {
  const book = /^\/books\/([^/?#]+)$/u.exec(path)?.[1];
  if (book === undefined) return undefined;
  try {
    const { id, title, authors, progress, added_at: at } = await showBook(audiobooks, { book }, caller);
    const state = progress === null ? null : progress.finished ? 'finished' : 'started';
    const detail = authors.map(({ name }) => name).join(', ');
    return { app: 'audiobooks', kind: 'book', id, title, detail, state, path: `/books/${id}`, at, score: 0 };
  } catch (error) {
    // The path is not a book: views such as `/books/authors` also match the pattern.
    if (isHoldfastError(error)) return undefined;
    throw error;
  }
}

const EXAMINED = 100;

/**
 * Returns the newest operation of each library or book, if that operation failed or found problems. Only managers see
 * operations.
 */
async function failedOperations(audiobooks: Audiobooks, caller: Caller): Promise<readonly AttentionItem[]> {
  const { can } = await listenerOf(audiobooks, caller);
  if (!can.manage) return [];
  const newest = new Map<string, Operation>();
  const { items } = await pageOfOperations(audiobooks.reader, undefined, { limit: EXAMINED });
  for (const operation of items) {
    const key = `${operation.type} ${operation.target}`;
    if (!newest.has(key)) newest.set(key, operation);
  }
  return [...newest.values()].filter(needsPerson).map((operation): AttentionItem => ({
    app: 'audiobooks',
    kind: operation.status === 'failed' ? 'failed' : 'problems',
    id: operation.id,
    title:
      operation.status === 'failed'
        ? `${typeTexts[operation.type]} failed`
        : `${typeTexts[operation.type]} found problems`,
    detail: operation.error ?? summaryOf(operation),
    since: operation.completed_at,
    path: `/books/operations/${operation.id}`,
    actions:
      operation.type === 'scan'
        ? [
            {
              label: 'Scan again',
              method: 'POST',
              path: '/api/audiobooks/operations/scan',
              body: { library: operation.target },
              undo: null,
            },
          ]
        : [],
  }));
}

function needsPerson({ status, result }: Operation): boolean {
  const problems = result?.['problems'];
  return status === 'failed' || (status === 'completed' && typeof problems === 'number' && problems > 0);
}

const typeTexts: Readonly<Record<Operation['type'], string>> = {
  scan: 'A scan',
  organize: 'Organising files',
  transcode: 'Converting a book',
  merge: 'Merging files',
  tag: 'Writing tags',
  import: 'An import',
  edit: 'An edit',
  undo: 'An undo',
};
