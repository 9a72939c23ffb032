import { pathKey } from '../model/path-names.ts';
import type { PlannedMove } from '../model/engines.ts';
import { workFolder } from '../model/library-folders.ts';

/** One renaming of one file. A move whose new name is still taken needs two, over a place in between. */
export interface ElementaryMove {
  readonly from: string;
  readonly to: string;
  /** The move that is done when this one is; absent for the way to the place in between. */
  readonly completes?: PlannedMove;
}

/** Files of one book may change names among each other (1 becomes 2, 2 becomes 1): those step aside first. */
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
