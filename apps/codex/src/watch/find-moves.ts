import { isBelow } from '../model/path.ts';

/** A file that moved. */
export interface Move {
  readonly from: string;
  readonly to: string;
}

export interface Moves {
  readonly files: readonly Move[];
  readonly folders: readonly Move[];
}

export interface FolderFacts {
  /** True if the index has a folder here but the disk does not. */
  readonly hasLeft: (folder: string) => boolean;
  /** True if the disk has a folder here but the index does not. */
  readonly isNew: (folder: string) => boolean;
}

/** Replaces moves of files with a move of their outermost moved folder. */
export function joinMoves(moves: readonly Move[], facts: FolderFacts): Moves {
  const folders = new Map<string, string>();
  for (const move of moves) {
    const folder = outermost(move, facts);
    if (folder !== undefined && !folders.has(folder.from)) folders.set(folder.from, folder.to);
  }
  const joined = [...folders].map(([from, to]) => ({ from, to }));
  // Two folders cannot have moved to the same path, so only the first counts.
  const targets = new Set<string>();
  const kept = joined.filter(({ to }) => !targets.has(to) && targets.add(to));
  const isCovered = ({ from, to }: Move): boolean =>
    kept.some((folder) => isBelow(from, folder.from) && to === folder.to + from.slice(folder.from.length));
  return { files: moves.filter((move) => !isCovered(move)), folders: kept };
}

/**
 * Returns the outermost moved folder that explains the move of this file: the rest of the path, below the folder, has
 * stayed the same.
 */
function outermost({ from, to }: Move, facts: FolderFacts): Move | undefined {
  let found: Move | undefined;
  let left = from;
  let right = to;
  for (;;) {
    const [leftCut, rightCut] = [left.lastIndexOf('/'), right.lastIndexOf('/')];
    if (leftCut < 0 || rightCut < 0 || left.slice(leftCut) !== right.slice(rightCut)) return found;
    left = left.slice(0, leftCut);
    right = right.slice(0, rightCut);
    if (left === right) return found;
    if (facts.hasLeft(left) && facts.isNew(right)) found = { from: left, to: right };
  }
}
