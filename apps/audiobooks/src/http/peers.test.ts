import { readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Served, serve } from '../../test/served.ts';

/** Regression tests for bugs known from other audiobook and music servers. */

let place: Served;
let emma: { id: string; segments: { id: string }[] };
const BASE = 'http://localhost/api/audiobooks';
const CANARY = 'canary-outside-of-every-library';

beforeAll(async () => {
  place = await serve({
    main: {
      'Jane Austen/Emma/01.mp3': { album: 'Emma', artist: 'Jane Austen' },
      'Jane Austen/Emma/02.mp3': { album: 'Emma', artist: 'Jane Austen' },
    },
  });
  writeFileSync(join(place.home, 'outside.mp3'), CANARY);
  const { data } = await place.get<{ data: { id: string }[] }>('/books');
  emma = await place.get(`/books/${data[0]?.id}`);
});
afterAll(() => place.close());

describe('Audiobookshelf CVE-2025-25205, CVE-2026-71209: signing in was skipped for addresses that looked public', () => {
  it('no way of writing an address gets past it', async () => {
    const feed = '/api/audiobooks/feed/x/rss.xml';
    const variants = (path: string): string[] => [
      `${path}?r=${feed}`,
      `${path}?r=/books/${emma.id}/cover`,
      `${path}/..%2f..%2ffeed/x/rss.xml`,
      `${path}%2f..%2f..%2ffeed%2fx%2frss.xml`,
      `${path}%252e%252e%252ffeed`,
      `${path};${feed}`,
      `${path}//`,
      `/${path}`,
      `${path}/`,
      `${path}%00`,
      path.toUpperCase(),
      path.replace('/', '/./'),
      path.replace('/', '/feed/x/../../'),
      path.replace(/[a-z]/u, (letter) => `%${letter.codePointAt(0)?.toString(16)}`),
    ];
    const opened: string[] = [];
    for (const { path, permission, method } of place.server.routes) {
      if (permission === 'public' || !path.startsWith('/api/audiobooks')) continue;
      const filled = path.slice('/api/audiobooks'.length).replaceAll(/\{\w+\}/gu, emma.id);
      for (const address of variants(filled)) {
        const { status } = await place.server.request(`${BASE}${address}`, { method });
        if (![400, 401, 404, 405].includes(status)) opened.push(`${method} ${address}: ${status}`);
      }
    }
    expect(opened).toEqual([]);
  });
});

describe('Audiobookshelf CVE-2023-47624, Jellyfin CVE-2021-21402, gonic GHSA-4gxv-p5g5-j7w7: any file was read', () => {
  it('no address of a file leads out of the library', async () => {
    const ups = [
      '..',
      '%2e%2e',
      '..%2f',
      '%2e%2e%2f',
      '..%5c',
      '%252e%252e%252f',
      '....//',
      '..;',
      '%c0%ae%c0%ae',
      '..%00',
    ];
    const targets = ['etc/passwd', 'outside.mp3', 'outside.mp3%00.mp3', '%2fetc%2fpasswd', 'proc/self/environ'];
    const segment = emma.segments[0]?.id ?? '';
    const bases = [
      `/books/${emma.id}/segments/`,
      `/books/${emma.id}/segments/${segment}`,
      `/books/${emma.id}/cover?v=`,
      `/books/${emma.id}/cover?size=`,
      '/books/',
      `/feed/hff_${'x'.repeat(43)}/audio/`,
      '/opds/',
    ];
    let asked = 0;
    for (const base of bases) {
      for (const up of ups) {
        for (const depth of [1, 6]) {
          for (const target of targets) {
            const address = `${base}${`${up}/`.repeat(depth)}${target}${base.endsWith('/') ? '/stream' : ''}`;
            const response = await place.server.request(`${BASE}${address}`, { headers: { 'x-test-person': 'owner' } });
            const body = Buffer.from(await response.arrayBuffer()).toString('latin1');
            // The server accepts any text as the version (`v=`) of a cover, so it may respond with the cover itself.
            const isCover = base.endsWith('v=') && response.headers.get('content-type') === 'image/webp';
            if (!isCover) expect([address, response.status >= 400]).toEqual([address, true]);
            expect(body.includes(CANARY) || body.includes('root:')).toBe(false);
            asked += 1;
          }
        }
      }
    }
    expect(asked).toBe(bases.length * ups.length * 2 * targets.length);
  });
});

describe('Gogs CVE-2025-8110: a link inside was followed to the outside', () => {
  it('neither a file nor a folder that became a link is read', async () => {
    const root = place.roots['main'] ?? '';
    const address = (index: number): string => `/books/${emma.id}/segments/${emma.segments[index]?.id}/stream`;
    renameSync(join(root, 'Jane Austen/Emma/01.mp3'), join(place.home, 'real.mp3'));
    symlinkSync(join(place.home, 'outside.mp3'), join(root, 'Jane Austen/Emma/01.mp3'));
    expect((await place.ask(address(0))).status).toBe(404);
    expect((await place.ask(address(1))).status).toBe(200);
    renameSync(join(root, 'Jane Austen'), join(place.home, 'moved'));
    symlinkSync(join(place.home, 'moved'), join(root, 'Jane Austen'));
    expect((await place.ask(address(1))).status).toBe(404);
    expect((await place.ask(`/books/${emma.id}/cover`)).status).toBe(404);
  });
});

describe('Audiobookshelf CVE-2023-47619, -51665, -51697: the server fetched whatever address it was given', () => {
  it('only requests to the hosts of metadata providers can leave the server', () => {
    const sources = readdirSync(resolve(import.meta.dirname, '..'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => [name, readFileSync(resolve(import.meta.dirname, '..', name), 'utf8')] as const);
    expect(sources.length).toBeGreaterThan(150);
    const clients =
      /(?<![#.])\bfetch\(|from '(?:node:)?(?:https?|net|tls|dgram|dns|undici)(?:\/\w+)?'|new (?:WebSocket|EventSource|XMLHttpRequest)\b/u;
    expect(sources.filter(([, text]) => clients.test(text)).map(([name]) => name)).toEqual([
      'adapters/fetch-public.ts',
    ]);
  });
});

describe('Audiobookshelf CVE-2025-46338, CVE-2026-27973, CVE-2025-57800: scripts in answers, tokens in addresses', () => {
  const SCRIPTS = [
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "';alert(1)//",
    'javascript:alert(1)',
  ];

  it('whatever is sent comes back as data that no browser takes for a page', async () => {
    for (const script of SCRIPTS) {
      const typed = encodeURIComponent(script);
      const answers = [
        place.ask(`/books?author=${typed}&cursor=${typed}`),
        place.ask(`/books/${typed}`),
        place.ask(`/search?q=${typed}`),
        place.ask(`/feed/${typed}/rss.xml`, { as: undefined }),
        place.ask('/libraries', { method: 'POST', body: { root: `/${script}` }, as: 'owner' }),
        place.ask('/organise/preview', {
          method: 'POST',
          body: { library_id: place.libraries['main'], template: `{${script}` },
          as: 'owner',
        }),
        place.ask(`/books/${emma.id}`, { method: 'PATCH', body: { title: script }, headers: { 'if-match': '*' } }),
      ];
      for (const answer of await Promise.all(answers)) {
        expect(answer.headers.get('content-type')).toMatch(/^application\/(?:problem\+)?json/u);
        expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
        expect(answer.headers.get('content-security-policy')).toContain('sandbox');
        expect(answer.headers.get('location')).toBeNull();
      }
    }
  });

  it('a token in an address is refused, also where sound is played', async () => {
    for (const name of ['token', 'access_token', 'api_key']) {
      expect((await place.ask(`/books/${emma.id}/cover?${name}=hf_x`)).status).toBe(400);
    }
  });
});

describe('Jellyfin CVE-2023-49096, CVE-2025-31499, CVE-2026-35031: words of a request became arguments or endings', () => {
  it('formats and rates are from a list, and templates name variables', async () => {
    const send = async (path: string, body: object): Promise<number> =>
      (await place.ask(path, { method: 'POST', body, as: 'owner' })).status;
    const book = emma.id;
    const library = place.libraries['main'];
    for (const hostile of ['-f', 'mp3 -i /etc/passwd', '../../x', 'php', 'm4a\0', '$(id)']) {
      expect(await send('/operations/transcode', { book, format: hostile })).toBe(422);
      expect(await send('/operations/merge', { book, bitrate_kbps: hostile })).toBe(422);
      expect([400, 422]).toContain(await send('/organise/preview', { library, template: `{${hostile}}` }));
    }
    for (const template of ['../{title}', '/etc/{title}', '{title}/../../x', '.holdfast/{title}']) {
      const plan = await place.ask('/organise/preview', {
        method: 'POST',
        body: { library, template },
        as: 'owner',
      });
      const { moves = [] } = (await plan.json()) as { moves?: { to: string }[] };
      expect(moves.filter(({ to }) => /(?:^|\/)\.|^\//u.test(to))).toEqual([]);
    }
  });
});
