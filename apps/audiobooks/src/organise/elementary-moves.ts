import { pathKey } from '../model/path-names.ts';
import type { PlannedMove } from '../model/engines.ts';
import { workFolder } from '../model/library-folders.ts';

/** One rename. A move whose target is still occupied needs two, via a temporary name. */
export interface ElementaryMove {
  readonly from: string;
  readonly to: string;
  /** The move that this rename completes; absent for the rename to a temporary name. */
  readonly completes?: PlannedMove;
}

/** Files of a book may swap names; these first move to temporary names. */
export function elementaryMoves(moves: readonly PlannedMove[], operationId: string): readonly ElementaryMove[] {
  const targets = new Set(moves.map(({ to }) => pathKey(to)));
  const aside: ElementaryMove[] = [];
  const final: ElementaryMove[] = [];
  for (const [index, move] of moves.entries()) {
    if (!targets.has(pathKey(move.from))) {
      final.push({ from: move.from, to: move.to, completes: move });
      continue;
    }
    const between = `${workFolder(operationId)}/aside-${index}`;
    aside.push({ from: move.from, to: between });
    final.push({ from: between, to: move.to, completes: move });
  }
  return [...aside, ...final];
}
