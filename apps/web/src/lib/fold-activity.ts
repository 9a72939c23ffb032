import type { ActivityItem } from '../api/types.ts';

/** Consecutive changes that are shown as one row. */
export interface Fold {
  readonly first: ActivityItem;
  readonly items: readonly ActivityItem[];
}

/** This many similar changes in a row are folded, even if a person made them. */
const SIMILAR_MIN = 4;

/**
 * Folds consecutive automatic changes of one application, and long series of similar changes by one person, so that
 * changes by people stand out.
 */
export function foldActivity(items: readonly ActivityItem[]): readonly Fold[] {
  const runs: { readonly first: ActivityItem; readonly items: ActivityItem[] }[] = [];
  for (const item of items) {
    const run = runs.at(-1);
    if (run !== undefined && isSimilar(run.first, item)) run.items.push(item);
    else runs.push({ first: item, items: [item] });
  }
  return runs.flatMap((run) =>
    run.first.is_automatic || run.items.length >= SIMILAR_MIN
      ? [run]
      : run.items.map((item) => ({ first: item, items: [item] })),
  );
}

function isSimilar(left: ActivityItem, right: ActivityItem): boolean {
  if (left.app !== right.app || left.is_automatic !== right.is_automatic) return false;
  return left.is_automatic || (left.who === right.who && left.text === right.text);
}
