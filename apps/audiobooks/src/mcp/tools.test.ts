import { expect, it } from 'vitest';

import { scanFinds, scannedBook, scannedFile, temporaryAudiobooks } from '../../test/audiobooks.ts';
import { report, tell } from '../../test/player.ts';
import { tools } from './tools.ts';

it('an agent finds a book, sees the position in it and puts it on a playlist', async () => {
  const audiobooks = await temporaryAudiobooks();
  await scanFinds(audiobooks, [scannedBook('E/Emma', [scannedFile('E/Emma/1.mp3', 1)], { title: 'Emma' })]);
  const call = async (name: string, input: Readonly<Record<string, unknown>> = {}): Promise<unknown> => {
    const tool = tools(audiobooks, { name: 'agent' }).find((each) => each.name === name);
    return JSON.parse((await tool?.call(input)) ?? 'null');
  };
  const found = (await call('search', { q: 'emm' })) as { books: readonly { id: string }[] };
  const book = found.books[0]?.id ?? '';
  await tell(audiobooks, [report(book, 'e1', 30)]);
  expect(await call('list_progress')).toMatchObject({ data: [{ title: 'Emma', position_ms: 30_000 }] });
  await call('create_playlist', { name: 'Road' });
  expect(await call('add_to_playlist', { playlist: 'road', books: ['emma'] })).toMatchObject({
    items: [{ book_id: book, title: 'Emma' }],
  });
  expect(await call('show_playlist', { playlist: 'Road' })).toMatchObject({
    items: { data: [{ book: { id: book } }] },
  });
  await expect(call('show_book', { book: 'nothing' })).rejects.toMatchObject({ code: 'BOOK_NOT_FOUND' });
});
