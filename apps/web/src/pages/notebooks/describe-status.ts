import type { NotebookStatus } from '../../api/types.ts';
import { count } from '../../lib/format.ts';
import type { Tone } from '../../ui/badge.tsx';

interface Described {
  readonly tone: Tone;
  readonly word: string;
  /** The details, and what to do about them. */
  readonly says: string;
}

/** The first problem of a notebook, or that everything is saved. */
export function describeStatus({ pending, problem, git, watcher }: NotebookStatus): Described {
  if (problem !== null) return { tone: 'bad', word: 'In trouble', says: problem };
  if (pending > 0) {
    return { tone: 'busy', word: 'Saving', says: `${count(pending, 'change waits', 'changes wait')} to be saved.` };
  }
  if (git.problem !== null) {
    return { tone: 'warn', word: 'Not committed', says: `Everything is saved. Commits wait: ${git.problem}` };
  }
  if (git.held.length > 0) {
    const [first = ''] = git.held;
    const others = git.held.length > 1 ? ` and ${count(git.held.length - 1, 'other')}` : '';
    return { tone: 'warn', word: 'Held back', says: `You have staged ${first}${others}; commit that yourself first.` };
  }
  if (git.pending > 0) {
    const waiting = count(git.pending, 'change waits', 'changes wait');
    return { tone: 'busy', word: 'Saved', says: `Everything is saved. ${waiting} for the next commit.` };
  }
  if (watcher === null || !watcher.watching) {
    const why = watcher?.problem ?? 'the folder is not watched.';
    return {
      tone: 'warn',
      word: 'Not watched',
      says: `Saved and committed. Changes by other programs go unseen: ${why}`,
    };
  }
  if (watcher.problem !== null) {
    return {
      tone: 'warn',
      word: 'Incomplete',
      says: `Saved and committed, as far as it can be seen: ${watcher.problem}`,
    };
  }
  return { tone: 'good', word: 'Saved', says: 'Everything is saved and committed.' };
}
