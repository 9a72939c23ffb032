import type { Gate } from '../model/dependency.ts';
import { ringmasterErrors } from '../model/errors.ts';
import { insertDependency, removeDependency } from '../store/dependencies.ts';
import { recordEvent } from '../store/events.ts';
import { existingTask } from '../store/tasks.ts';
import { callOf, type Ringmaster } from './ringmaster.ts';

export interface Link {
  readonly child: string;
  readonly parent: string;
  readonly type?: string | undefined;
  readonly gate?: Gate | undefined;
}

const TYPE_CHARACTERS_MAX = 50;

/** Returns whether it is new. */
export async function addDependency(rm: Ringmaster, { child, parent, type = 'blocks', gate }: Link): Promise<boolean> {
  if (gate !== undefined && type !== 'waits-for') {
    throw ringmasterErrors.TEXT_INVALID(`A gate belongs to waits-for, not to ${type}`);
  }
  if (type === '' || type.length > TYPE_CHARACTERS_MAX) {
    throw ringmasterErrors.TEXT_INVALID(`A type of dependency has 1 to ${TYPE_CHARACTERS_MAX} characters`);
  }
  const call = callOf(rm);
  return rm.store.write(`dep add ${child} ${parent}`, (tx) => {
    existingTask(tx, child);
    existingTask(tx, parent);
    const isNew = insertDependency(tx, { child_id: child, parent_id: parent, type, gate }, call.actor.id, call.now);
    if (isNew) {
      recordEvent(tx, call, {
        type: 'dependency_added',
        entity: 'task',
        id: child,
        after: { parent_id: parent, type },
      });
    }
    return isNew;
  });
}

export function dropDependency(rm: Ringmaster, { child, parent, type }: Link): Promise<void> {
  const call = callOf(rm);
  return rm.store.write(`dep rm ${child} ${parent}`, (tx) => {
    existingTask(tx, child);
    if (removeDependency(tx, child, parent, type) === 0) {
      throw ringmasterErrors.DEPENDENCY_NOT_FOUND(`${child} does not depend on ${parent}`);
    }
    const before = { parent_id: parent, type: type ?? null };
    recordEvent(tx, call, { type: 'dependency_removed', entity: 'task', id: child, before });
  });
}
