import type { Demo } from '@holdfast/operation';

import { canonicalDirectory } from '../adapters/files.ts';
import { events, goals, notes, sessions, stats, tasks } from '../store/definitions.ts';
import type { Np } from './np.ts';
import { startSession } from './sessions.ts';

const PLAN = `# Plan a weekend at the lake

- [x] Choose a weekend
- [ ] Rent a boat
- [ ] Buy food for six people
- [ ] Ask the neighbours to water the plants
`;

export function demo(np: Np): Demo {
  return {
    async create(folder, { via: cmd, name: actor }) {
      const directory = canonicalDirectory(folder);
      const { session } = await startSession(np, { directory, cmd, actor, plan: PLAN });
      return session.sid;
    },
    remove: (sid) => removeSession(np, sid),
  };
}

/** People archive plans and keep their history. Only example plans are deleted. */
function removeSession({ store }: Np, sid: string): Promise<void> {
  return store.transact(async (tx) => {
    for (const { seq } of await tx.list(events, { sid })) await tx.delete(events, { sid, seq });
    for (const { key } of await tx.entries(notes, { sid })) await tx.delete(notes, key);
    for (const { id } of await tx.list(tasks, { sid })) await tx.delete(tasks, { sid, id });
    await tx.delete(goals, { sid });
    await tx.delete(stats, { sid });
    await tx.delete(sessions, { sid });
    tx.writeKey(events.counter.template.encode({ sid }), undefined);
  });
}
