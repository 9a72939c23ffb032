/**
 * Where to put an item so that it comes to stand at another place in the list: before the item that is named, or at the
 * end. Undefined when it stands there already.
 */
export function targetOf(positions: readonly number[], from: number, to: number): number | null | undefined {
  if (from === to || to < 0 || to >= positions.length) return undefined;
  return positions[to > from ? to + 1 : to] ?? null;
}

/** The list as it will be. */
export function moved<Item>(items: readonly Item[], from: number, to: number): readonly Item[] {
  const next = [...items];
  next.splice(to, 0, ...next.splice(from, 1));
  return next;
}
