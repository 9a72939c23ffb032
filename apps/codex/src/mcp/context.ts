import { SECOND } from '@holdfast/base';

import { codexErrors } from '../model/errors.ts';
import type { FileEvent } from '../model/event.ts';
import type { Notebook } from '../model/notebook.ts';
import type { Codex } from '../service/codex.ts';
import { errorOf } from '../service/failed-event.ts';
import type { Request } from '../service/requests.ts';
import { listNotebooks, namedNotebook } from '../store/notebooks.ts';

const WAIT_MS: number = 60 * SECOND;

export interface ToolContext {
  readonly codex: Codex;
  readonly author: string;
  /** The notebook that is meant when none is named. */
  readonly preferred: Notebook | undefined;
}

export function notebookFor({ codex, preferred }: ToolContext, name: string | undefined): Notebook {
  const { reader } = codex.store;
  if (name !== undefined) return namedNotebook(reader, name);
  if (preferred !== undefined) return preferred;
  const all = listNotebooks(reader);
  const [only] = all;
  if (only !== undefined && all.length === 1) return only;
  throw codexErrors.NOTEBOOK_NOT_FOUND(
    only === undefined ? 'There is no notebook yet' : `Name one of ${all.map((each) => each.name).join(', ')}`,
  );
}

/** Queues one operation and waits for its end; throws what made it fail. */
export async function perform(
  { codex, author }: ToolContext,
  notebook: Notebook,
  request: Request,
  timeoutMs: number = WAIT_MS,
): Promise<FileEvent> {
  const { events } = await codex.publish({ notebookId: notebook.id, author, requests: [request] });
  const [event] = events;
  const waited = event === undefined ? undefined : await codex.wait(event.id, timeoutMs);
  if (waited === undefined) throw codexErrors.EVENT_NOT_FOUND('The event is gone already');
  const { event: ended, timedOut } = waited;
  if (timedOut) throw codexErrors.WAIT_TIMEOUT(`Event ${ended.id} is still ${ended.status}; use wait`);
  if (ended.status !== 'completed' && ended.status !== 'superseded') throw errorOf(ended);
  return ended;
}
