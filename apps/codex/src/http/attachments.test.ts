import { deflateSync } from 'node:zlib';

import { describe, expect, it } from 'vitest';

import { serve, type Served } from '../../test/served.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>';

interface Attached {
  readonly status: number;
  readonly body: { file: { id: string; path: string; content_type: string }; markdown: string; code?: string };
}

async function attach(
  { raw }: Served,
  name: string,
  bytes: string | Uint8Array,
  { type = 'application/octet-stream', more = '' } = {},
): Promise<Attached> {
  const answer = await raw('POST', `/notebooks/1/attachments?name=${encodeURIComponent(name)}${more}`, {
    body: Buffer.from(bytes),
    headers: { 'content-type': type },
  });
  return { status: answer.status, body: (await answer.json()) as Attached['body'] };
}

describe('attachments', () => {
  it('are kept once under a name of their own, and come with the link for the note', async () => {
    const served = await serve({ settings: { attachment_max_bytes: 2_000 } });
    const [first, second] = await Promise.all([
      attach(served, 'My Picture (1).png', PNG, { type: 'image/png' }),
      attach(served, 'My Picture (1).png', PNG, { type: 'image/png' }),
    ]);
    expect([first.status, second.status].toSorted((left, right) => left - right)).toEqual([200, 201]);
    expect(second.body).toEqual(first.body);
    expect(first.body.file).toMatchObject({ content_type: 'image/png' });
    expect(first.body.file.path).toMatch(/^attachments\/My-Picture-1-[0-9a-f]{8}\.png$/u);
    expect(first.body.markdown).toBe(`![My Picture (1)](${first.body.file.path})`);
    const again = await attach(served, 'other.jpg', PNG, { more: '&note=a/b/note.md' });
    expect(again).toMatchObject({ status: 200, body: { file: { id: first.body.file.id } } });
    expect(again.body.markdown).toBe(`![other](../../${first.body.file.path})`);
    const text = await attach(served, '../../etc/data.csv', 'a,b\n');
    expect(text.body.file.path).toMatch(/^attachments\/data-[0-9a-f]{8}\.csv$/u);
    expect(text.body.markdown.startsWith('[data](')).toBe(true);
    // If name and content disagree, the extension follows the content.
    expect((await attach(served, 'x.gif', '%PDF-1.7')).body.file.path).toMatch(/\.pdf$/u);
    for (const [name, bytes] of [
      ['page.html', '<script>1</script>'],
      ['run.js', 'alert(1)'],
      ['fake.png', '<html>'],
      ['bin.txt', 'a\0b'],
      ['noending', 'x'],
    ] as const) {
      expect(await attach(served, name, bytes)).toMatchObject({ status: 415, body: { code: 'ATTACHMENT_TYPE' } });
    }
    expect((await attach(served, 'big.txt', 'x'.repeat(2_001))).status).toBe(413);
    expect((await attach(served, 'x.png', PNG, { type: 'text/plain' })).status).toBe(415);
    expect((await attach(served, 'x.txt', 'x', { more: '&note=../x' })).status).toBe(400);
  });
});

describe('files as browsers get them', () => {
  const hostile = ['x.html', 'x.htm', 'x.xhtml', 'x.xml', 'x.js', 'x.css', 'x.unknown', 'x', 'x.html.bak', 'x.HTML'];
  const shown: Readonly<Record<string, string>> = {
    'x.png': 'image/png',
    'x.jpg': 'image/jpeg',
    'x.avif': 'image/avif',
    'x.txt': 'text/plain; charset=utf-8',
    'x.md': 'text/plain; charset=utf-8',
    'x.json': 'text/plain; charset=utf-8',
    'x.ts': 'text/plain; charset=utf-8',
    'x.mp3': 'audio/mpeg',
    'x.mp4': 'video/mp4',
  };

  it('run no script, whatever they are called and whatever is in them', async () => {
    const served = await serve();
    const content = `<html><script>alert(1)</script>${deflateSync('x').toString('latin1')}`;
    const get = async (path: string, text = content): Promise<Response> => {
      const { body } = await served.ask('POST', '/notebooks/1/files?wait=30', { path, content: text });
      const answer = await served.raw('GET', `/notebooks/1/files/${String(body['file_id'])}/content`);
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
      return answer;
    };
    // Each file has its own folder, because some of the names are equal on systems that ignore case.
    for (const [index, name] of hostile.entries()) {
      const { headers } = await get(`${index}/${name}`);
      expect(headers.get('content-type')).toBe('application/octet-stream');
      expect(headers.get('content-disposition')).toMatch(/^attachment;/u);
      expect(headers.get('content-security-policy')).toContain('sandbox');
    }
    for (const [name, type] of Object.entries(shown)) {
      const { headers } = await get(`shown/${name}`);
      expect(headers.get('content-type')).toBe(type);
      expect(headers.get('content-disposition')).toMatch(/^inline;/u);
      expect(headers.get('content-security-policy')).toContain('sandbox');
    }
    const svg = await get('pictures/x.svg', SVG);
    expect(svg.headers.get('content-type')).toBe('image/svg+xml');
    expect(svg.headers.get('content-disposition')).toMatch(/^attachment;/u);
    expect(svg.headers.get('content-security-policy')).toContain('sandbox');
    const pdf = await get('pdf/x.pdf');
    expect(pdf.headers.get('content-type')).toBe('application/pdf');
    const odd = await get("odd/it's (1).txt");
    expect(odd.headers.get('content-disposition')).toBe("inline; filename*=UTF-8''it%27s%20%281%29.txt");
  });
});
