import type { EventResult } from '../../model/event.ts';
import type { Intent } from '../../model/intent.ts';
import type { Tx } from '../../store/open.ts';
import { folder } from './folder.ts';
import type { Handler, Work } from './handler.ts';
import { move } from './move.ts';
import { note } from './note.ts';
import { sync } from './sync.ts';
import { trash } from './trash.ts';
import { untrash } from './untrash.ts';
import { write } from './write.ts';

const nothing: Handler<Intent, undefined> = { apply: async () => undefined, finish: () => ({ unchanged: true }) };

/** Each handler gets only intents of its own type; the table is keyed by it. */
const handlers = { folder, move, note, nothing, sync, trash, untrash, write } as Readonly<
  Record<Intent['type'], Handler<Intent, unknown>>
>;

export function applyIntent(work: Work, intent: Intent): Promise<unknown> {
  return handlers[intent.type].apply(work, intent);
}

export function finishIntent(tx: Tx, work: Work, intent: Intent, done: unknown, now: string): EventResult {
  return handlers[intent.type].finish(tx, work, intent, done, now);
}

export async function undoIntent(work: Work, intent: Intent): Promise<void> {
  await handlers[intent.type].undo?.(work, intent);
}
