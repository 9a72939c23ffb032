import type { NotebookStatus } from '../../api/types.ts';
import { count, duration } from '../../lib/format.ts';
import type { Tone } from '../../ui/badge.tsx';

interface Described {
  readonly tone: Tone;
  readonly word: string;
  readonly says: string;
}

export function describeStatus({ pending, paused, problem, git, watcher }: NotebookStatus): Described {
  if (problem !== null) return { tone: 'bad', word: 'Error', says: problem };
  if (paused !== null) {
    const waiting = pending === 0 ? '' : `. ${count(pending, 'change')} waiting`;
    return { tone: 'warn', word: 'Paused', says: `${paused.reason}${waiting}` };
  }
  if (watcher !== null && watcher.importing !== null) {
    const { done, total, remaining_seconds: left } = watcher.importing;
    const rest = left === null ? '' : `, about ${duration(left)} left`;
    return { tone: 'busy', word: 'Reading', says: `${count(done)} of ${count(total, 'file')} and folders read${rest}` };
  }
  if (pending > 0) {
    return { tone: 'busy', word: 'Saving', says: count(pending, 'unsaved change') };
  }
  if (watcher !== null && watcher.comparing !== null) {
    const seen = watcher.comparing === 0 ? '' : `: ${count(watcher.comparing)} files and folders so far`;
    return { tone: 'busy', word: 'Reading', says: `Comparing the folder with the index${seen}` };
  }
  if (git.problem !== null) {
    return { tone: 'warn', word: 'Not committed', says: `All changes saved, but not committed: ${git.problem}` };
  }
  if (git.held.length > 0) {
    const [first = ''] = git.held;
    const others = git.held.length > 1 ? ` and ${count(git.held.length - 1, 'other')}` : '';
    return {
      tone: 'warn',
      word: 'Not committed',
      says: `You staged ${first}${others} in git. Commit your staged changes first.`,
    };
  }
  if (git.pending > 0) {
    const uncommitted = count(git.pending, 'change');
    return { tone: 'busy', word: 'Saved', says: `All changes saved; the next commit includes ${uncommitted}.` };
  }
  if (watcher === null || !watcher.watching) {
    const why = watcher?.problem ?? 'the folder is not watched.';
    return {
      tone: 'warn',
      word: 'Not watched',
      says: `Saved and committed. Changes by other programs are not detected: ${why}`,
    };
  }
  if (watcher.problem !== null) {
    return {
      tone: 'warn',
      word: 'Incomplete',
      says: `Saved and committed, but some changes may be missed: ${watcher.problem}`,
    };
  }
  return { tone: 'good', word: 'Saved', says: 'All changes saved and committed' };
}
