import { dependenciesOf } from '../store/dependencies.ts';
import { existingTask } from '../store/tasks.ts';
import type { Ringmaster } from './ringmaster.ts';

export interface TreeNode {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly type: string | undefined;
  /** Shown further up already; its own dependencies are not repeated. */
  readonly repeated: boolean;
  readonly dependencies: readonly TreeNode[];
}

const DEPTH_MAX = 100;

export function dependencyTree({ store }: Ringmaster, root: string): TreeNode {
  const shown = new Set<string>();
  const visit = (id: string, type: string | undefined, depth: number): TreeNode => {
    const { title, status } = existingTask(store.reader, id);
    const repeated = shown.has(id) || depth > DEPTH_MAX;
    shown.add(id);
    const below = repeated ? [] : dependenciesOf(store.reader, id);
    const dependencies = below.map((link) => visit(link.parent_id, link.type, depth + 1));
    return { id, title, status, type, repeated, dependencies };
  };
  return visit(root, undefined, 0);
}
