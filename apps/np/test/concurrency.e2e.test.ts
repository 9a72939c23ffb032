/** Many commands at once. */
import { describe, expect, it } from 'vitest';
import type { Event, Task } from '../src/index.ts';
import { newPlace } from './built-np.ts';

const PROCESSES = 100;

describe('commands at the same time', () => {
  it('all add their task, and the log has them without a gap', async () => {
    const place = newPlace();
    place.np(['s']);
    const added = await Promise.all(
      Array.from({ length: PROCESSES }, (_, index) => place.start(['t', 'a', '-t', `task ${index}`])),
    );
    expect(added.filter(({ code }) => code !== 0)).toEqual([]);
    const { tasks } = place.data<{ tasks: Task[] }>(['t']);
    const events = place.data<Event[]>(['log', '--after', '0', '-n', '1000']);
    expect(tasks).toHaveLength(PROCESSES);
    expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: PROCESSES }, (_, index) => index + 1));
    expect(events.every(({ type }) => type === 'task_added')).toBe(true);
    expect(place.data<{ problems: unknown[] }>(['verify']).problems).toEqual([]);
  });

  it('start one session in one directory', async () => {
    const place = newPlace();
    const started = await Promise.all(Array.from({ length: 12 }, () => place.start(['s', '--json'])));
    const answers = started.map(
      ({ stdout }) => JSON.parse(stdout).data as { created: boolean; session: { sid: string } },
    );
    expect(answers.filter(({ created }) => created)).toHaveLength(1);
    expect(new Set(answers.map(({ session }) => session.sid)).size).toBe(1);
  });
});
