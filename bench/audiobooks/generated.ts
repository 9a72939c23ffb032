import { join } from 'node:path';

import {
  type Audiobooks,
  libraryAt,
  openAudiobooks,
  type ScannedBook,
  type ScannedFile,
  ScanSession,
} from '@holdfast/audiobooks';

/** A library as a scan would create it, ten files per folder; nothing is on disk. */
export interface Generated {
  readonly audiobooks: Audiobooks;
  readonly books: number;
  readonly close: () => Promise<void>;
}

const FILES = 10;

export async function generateLibrary(
  folder: string,
  name: string,
  books: number,
  progress: (text: string) => void,
): Promise<Generated> {
  const audiobooks = await openAudiobooks({ path: join(folder, `${name}.db`) });
  const library = await libraryAt(audiobooks, '/generated');
  const session = new ScanSession(audiobooks, {
    libraryId: library.id,
    operationId: null,
    by: 'bench',
    exists: () => true,
  });
  for (let number = 0; number < books; number++) {
    const book = generatedBook(number, books);
    await session.receiver.unit({ unit: book.folder, fingerprint: String(number), books: [book], problems: [] });
    if (number % 5_000 === 4_999) progress(`${name}: ${number + 1} of ${books} books`);
  }
  await session.flush();
  return {
    audiobooks,
    books,
    async close() {
      await audiobooks.close();
    },
  };
}

/** Twenty books per author and series, fifty per narrator and per title word. */
function generatedBook(number: number, books: number): ScannedBook {
  const author = `Author Number ${number % Math.ceil(books / 20)}`;
  const folder = `${author}/Book ${number}`;
  const files = Array.from({ length: FILES }, (_, part) =>
    generatedFile(`${folder}/${part}.mp3`, number * FILES + part),
  );
  return {
    folder,
    files,
    title: `Title ${number} word${number % Math.ceil(books / 50)}x`,
    authors: [author],
    narrators: [`Reader ${number % Math.ceil(books / 50)}`],
    series: [
      { name: `Series ${number % Math.ceil(books / 20)}`, sequence: String(1 + Math.floor(number / (books / 20))) },
    ],
    genres: [`Genre ${number % 20}`],
    description: 'A story of some length about something that happened to somebody somewhere.',
    durationMs: FILES * 60_000,
    chapters: [],
    provenance: {},
  };
}

function generatedFile(path: string, number: number): ScannedFile {
  return {
    path,
    device: '1',
    inode: String(number),
    size: 1_000_000 + number,
    mtimeNs: '1700000000000000000',
    quickHash: number.toString(16).padStart(32, '0'),
    format: 'mp3',
    codec: 'mp3',
    stream: { codec: 'mp3', sampleRate: 44_100, channels: 2, profile: '' },
    durationMs: 60_000,
    chapters: [],
    tags: { artists: [], albumArtists: [], composers: [], narrators: [], genres: [] },
    track: number % FILES,
  };
}
