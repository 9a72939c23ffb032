import type { Session, Task } from '../model/plan.ts';
import { allSessions, readNotes, readTasks } from '../store/queries.ts';
import type { Np } from './np.ts';

interface FoundTask {
  readonly session: Session;
  readonly task: Task;
}

interface FindRequest {
  readonly words: readonly string[];
  readonly limit: number;
}

/** Returns tasks that contain every word, ignoring case. Tasks in recently changed sessions come first. */
export function findTasks(np: Np, { words, limit }: FindRequest): Promise<readonly FoundTask[]> {
  const wanted = words.map((word) => word.toLowerCase());
  return np.store.snapshot(async (reads) => {
    const sessions = (await allSessions(reads)).toSorted((left, right) =>
      right.last_updated_at.localeCompare(left.last_updated_at),
    );
    const found: FoundTask[] = [];
    for (const session of sessions) {
      const { sid } = session;
      const notes = await readNotes(reads, { sid });
      for (const task of await readTasks(reads, sid)) {
        const own = notes.filter(({ task_id: id }) => id === task.id).map(({ text }) => text);
        const text = [task.id, task.title, task.description, task.reason, ...own].join('\n').toLowerCase();
        if (wanted.every((word) => text.includes(word))) found.push({ session, task });
        if (found.length === limit) return found;
      }
    }
    return found;
  });
}
