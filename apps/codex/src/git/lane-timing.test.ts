import { afterAll, afterEach, describe, expect, it } from 'vitest';

import { expectClean } from '../../test/clean-repository.ts';
import {
  type GitNotebook,
  type GitNotebookOptions,
  openGitNotebook,
  removeFolders,
  temporaryFolder,
} from '../../test/git-notebook.ts';

const opened: GitNotebook[] = [];
const open = async (options?: GitNotebookOptions): Promise<GitNotebook> => {
  const notebook = await openGitNotebook(options);
  opened.push(notebook);
  return notebook;
};
afterEach(async () => {
  for (const notebook of opened.splice(0)) await notebook.close();
});
afterAll(removeFolders);

const commits = ({ git, pendingCount }: GitNotebook): number =>
  pendingCount() > 0 ? 0 : Number(git('rev-list', '--count', '--all').trim());

describe('a lane', () => {
  it('commits by itself after quiet', async () => {
    const notebook = await open({ settings: { git_quiet_interval: 0.05, git_commit_interval: 3_600 } });
    await notebook.write('a.md', 'one');
    await expect.poll(() => commits(notebook), { timeout: 20_000 }).toBe(1);
    expectClean(notebook);
  });

  it('commits by itself when changes never end', async () => {
    const notebook = await open({ settings: { git_quiet_interval: 3_600, git_commit_interval: 0.05 } });
    await notebook.write('a.md', 'one');
    await expect.poll(() => commits(notebook), { timeout: 20_000 }).toBe(1);
  });

  it('commits at once when many changes wait', async () => {
    const notebook = await open({ settings: { git_commit_max_files: 10 } });
    for (let n = 0; n < 9; n++) await notebook.write(`${n}.md`, `${n}`);
    expect(notebook.pendingCount()).toBe(9);
    await notebook.write('9.md', '9');
    await expect.poll(() => commits(notebook), { timeout: 20_000 }).toBe(1);
  });

  it('does not commit at once when another program makes many changes', async () => {
    const notebook = await open({ settings: { git_commit_max_files: 10, git_commit_interval: 0.5 } });
    for (let n = 0; n < 30; n++) await notebook.write(`${n}.md`, `${n}`, { external: true });
    expect(notebook.pendingCount()).toBe(30);
    await expect.poll(() => commits(notebook), { timeout: 20_000 }).toBe(1);
  });

  it('commits everything up to a barrier, also what was added while it was busy', async () => {
    const notebook = await open();
    const turns: Promise<string | null>[] = [];
    const events: number[] = [];
    for (let n = 0; n < 10; n++) {
      const event = await notebook.write(`${n}.md`, `${n}`);
      events.push(event);
      turns.push(notebook.lanes.flush(notebook.id, event));
    }
    await Promise.all(turns);
    expect(events.every((event) => notebook.commitOf(event) !== null)).toBe(true);
    // The commits are in order, so concurrent flushes did not swap them.
    const order = events.map((event) => Number(notebook.git('rev-list', '--count', notebook.commitOf(event)!).trim()));
    expect(order).toEqual(order.toSorted((left, right) => left - right));
    expectClean(notebook);
  });

  it('commits what waits when it is closed, and after a restart what it could not', async () => {
    const base = temporaryFolder();
    const first = await openGitNotebook({ base });
    await first.write('a.md', 'one');
    await first.close();
    expect(first.git('rev-list', '--count', 'HEAD').trim()).toBe('1');

    const second = await openGitNotebook({ base });
    second.git('checkout', '-q', '--detach');
    await second.write('b.md', 'two');
    await second.close();
    second.git('checkout', '-q', 'main');

    const third = await open({ base, settings: { git_quiet_interval: 0.05 } });
    expect(third.pendingCount()).toBe(1);
    third.lanes.resume();
    await expect.poll(() => commits(third), { timeout: 20_000 }).toBe(2);
    expectClean(third);
  });

  it('goes on by itself when the user has finished a pause', async () => {
    const notebook = await open({ settings: { git_quiet_interval: 0.05 } });
    await notebook.write('a.md', 'one');
    await expect.poll(() => commits(notebook), { timeout: 20_000 }).toBe(1);
    notebook.git('checkout', '-q', '--detach');
    await notebook.write('a.md', 'two');
    await expect
      .poll(async () => (await notebook.lanes.status(notebook.id)).problem, { timeout: 20_000 })
      .toMatch(/detached/);
    notebook.git('checkout', '-q', 'main');
    await expect.poll(() => commits(notebook), { timeout: 20_000 }).toBe(2);
    expect((await notebook.lanes.status(notebook.id)).problem).toBeNull();
  });

  it('of a notebook that is forgotten makes no further commit', async () => {
    const notebook = await open({ settings: { git_quiet_interval: 0.05 } });
    await notebook.write('a.md', 'one');
    await notebook.flush();
    await notebook.lanes.forget(notebook.id);
    await notebook.store.write('gone', (tx) => tx.run('DELETE FROM notebooks WHERE id = ?', notebook.id));
    expect(() => notebook.lanes.scheduleCommit(notebook.id)).not.toThrow();
    expect(() => notebook.lanes.flush(notebook.id)).toThrow(/no notebook/);
  });
});
