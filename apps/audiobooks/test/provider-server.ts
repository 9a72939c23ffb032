import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Network } from '../src/adapters/fetch-public.ts';

export interface ProviderServer {
  /** Resolves every host name to this server. */
  readonly network: Network;
  /** Host and path of each request. */
  readonly asked: string[];
  close(): Promise<void>;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A local HTTPS server that replaces all providers. `answers` has one entry per host and path, without the query. */
export async function provideLocally(answers: ReadonlyMap<string, Answer>): Promise<ProviderServer> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-provider-'));
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const names = ['openlibrary.org', '*.openlibrary.org', 'archive.org', '*.us.archive.org', 'api.audnex.us'];
  const subject = [...names, 'm.media-amazon.com', 'covers.example.org'].map((name) => `DNS:${name}`).join(',');
  const keyOptions = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', key];
  const parts = ['-out', cert, '-days', '2', '-subj', '/CN=providers', '-addext', `subjectAltName=${subject}`];
  execFileSync('openssl', ['req', '-x509', ...keyOptions, ...parts], { stdio: 'ignore' });
  const asked: string[] = [];
  const server = createServer({ cert: readFileSync(cert), key: readFileSync(key) }, (request, response) => {
    const place = `${request.headers.host?.replace(/:\d+$/u, '') ?? ''}${request.url ?? ''}`;
    asked.push(place);
    const answer = answers.get(place.replace(/\?.*$/u, ''));
    if (answer === undefined) response.writeHead(404).end('{}');
    else answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const ca = readFileSync(cert, 'utf8');
  rmSync(folder, { recursive: true, force: true });
  return {
    asked,
    network: {
      lookup: async () => [{ address: '127.0.0.1', family: 4 }],
      isAllowed: () => true,
      port: (server.address() as AddressInfo).port,
      ca,
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export const jsonAnswer =
  (value: unknown): Answer =>
  (_request, response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));

/** A response from Open Library's search, in the documented form. */
export const openLibraryAnswer = {
  start: 0,
  num_found: 2,
  docs: [
    {
      cover_i: 258_027,
      has_fulltext: true,
      edition_count: 120,
      title: 'Emma',
      author_name: ['Jane Austen'],
      first_publish_year: 1815,
      key: '/works/OL66513W',
      author_key: ['OL21594A'],
      language: ['eng', 'ger'],
      subject: ['England', 'Young women', 'Fiction'],
    },
    { title: 'Emma Brown', author_name: ['Clare Boylan'], first_publish_year: 2003, key: '/works/OL1W' },
  ],
};

/** A book from Audnexus, in the documented form. */
export const audnexusBook = {
  asin: 'B08G9PRS1K',
  authors: [{ asin: 'B00G0WYW92', name: 'Andy Weir' }],
  copyright: 2021,
  description: 'Ryland Grace is the sole survivor …',
  formatType: 'unabridged',
  genres: [
    { asin: '18580606011', name: 'Science Fiction & Fantasy', type: 'genre' },
    { asin: '18580628011', name: 'Science Fiction', type: 'tag' },
  ],
  image: 'https://m.media-amazon.com/images/I/91vS2L5YfEL.jpg',
  isAdult: false,
  isbn: '9781603935470',
  language: 'english',
  literatureType: 'fiction',
  narrators: [{ name: 'Ray Porter' }],
  publisherName: 'Audible Studios',
  rating: '4.9',
  region: 'us',
  releaseDate: '2021-05-04T00:00:00.000Z',
  runtimeLengthMin: 970,
  seriesPrimary: { asin: 'B0000000AA', name: 'Hail', position: '1' },
  summary: '<p><b>A lone astronaut</b> must save the earth.</p> <p>And thanks to an ally, he might.</p>',
  title: 'Project Hail Mary',
};

/** Chapters from Audnexus, in the documented form. */
export const audnexusChapters = {
  asin: 'B08G9PRS1K',
  brandIntroDurationMs: 2_043,
  brandOutroDurationMs: 5_061,
  chapters: [
    { lengthMs: 13_307, startOffsetMs: 0, startOffsetSec: 0, title: 'Opening Credits' },
    { lengthMs: 5_909, startOffsetMs: 13_307, startOffsetSec: 13, title: 'Dedication' },
    { lengthMs: 40_784, startOffsetMs: 19_216, startOffsetSec: 19, title: 'Chapter 1' },
  ],
  isAccurate: true,
  region: 'us',
  runtimeLengthMs: 60_000,
  runtimeLengthSec: 60,
};
