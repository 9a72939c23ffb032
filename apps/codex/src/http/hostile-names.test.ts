import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { serve } from '../../test/served.ts';

/** Names that git, ssh or a shell would take for options or commands, known from attacks on Gogs, Gitea and simple-git. */
const names = ['-h', '--output=evil', '--exec=touch evil', '--upload-pack=touch evil', '$(touch evil)', '`touch evil`'];
const commits = [...names, '--all', 'HEAD --output=evil', '../HEAD', 'HEAD:../x', '\nHEAD', 'ext::sh -c touch% evil'];

it('no name of a file, notebook, commit, branch or remote becomes an option or a path', async () => {
  const { ask, tree, home } = await serve();
  for (const name of names) {
    const created = await ask('POST', '/notebooks/1/files?wait=30', { path: name, content: name });
    expect(created.status, name).toBe(201);
  }
  expect((await ask('POST', '/events/commit', { notebook: '1' })).status).toBe(200);
  const { body } = await ask('GET', '/notebooks/1/files');
  const files = body['data'] as { id: number; path: string }[];
  for (const { id, path } of files) {
    const history = await ask('GET', `/notebooks/1/files/${id}/history`);
    expect(history.body['data'], path).toHaveLength(1);
  }
  const file = `/notebooks/1/files/${files[0]?.id}`;
  for (const commit of commits) {
    const asked = encodeURIComponent(commit);
    const answers = [
      await ask('GET', `${file}/history/${asked}`),
      await ask('GET', `/notebooks/1/commits/${asked}`),
      await ask('GET', `${file}/diff?from=${asked}`),
      await ask('POST', `${file}/restore`, { commit }),
    ];
    for (const { status } of answers) expect(status, commit).toBeOneOf([400, 404, 422]);
  }
  const asAdmin = { authorization: 'Bearer admin' };
  for (const branch of [...names, '../main', 'a..b', '.git']) {
    const remote = { name: 'origin', url: 'https://example.invalid/x.git', branch };
    const { status } = await ask('POST', '/notebooks/1/remotes', remote, asAdmin);
    expect(status, branch).toBeOneOf([400, 422]);
  }
  for (const name of ['../up', '..', '.git', 'a/b', 'a\0b']) {
    const { status } = await ask('POST', '/notebooks', { name });
    expect(status, name).toBeOneOf([400, 422]);
  }
  expect(Object.keys(tree()).sort()).toEqual([...names].sort());
  expect(existsSync(join(home, 'up'))).toBe(false);
});
