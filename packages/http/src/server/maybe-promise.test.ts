import { expect, it } from 'vitest';

import { asReader, READER, sampleServer } from '../../test/sample-app.ts';
import { andThen } from './maybe-promise.ts';

it('goes on at once with what is there, and later with what is promised', async () => {
  expect(andThen(1, (value) => value + 1)).toBe(2);
  expect(await andThen(Promise.resolve(1), (value) => value + 1)).toBe(2);
  await expect(andThen(Promise.reject(new Error('no')), () => 1)).rejects.toThrow('no');
});

it('an answer for which nothing has to be waited is there at once, allowed or refused', () => {
  const { server } = sampleServer({
    authenticate: ({ headers }) => (headers.get('cookie') === null ? undefined : READER),
  });
  const answer = (headers: Readonly<Record<string, string>>) =>
    server.fetch(new Request('http://localhost/api/np/plans', { headers }));
  expect(answer(asReader)).toMatchObject({ status: 200 });
  expect(answer({})).toMatchObject({ status: 401 });
});
