/** The item to move before, or null for the end. Undefined when nothing changes. */
export function targetOf(positions: readonly number[], from: number, to: number): number | null | undefined {
  if (from === to || to < 0 || to >= positions.length) return undefined;
  return positions[to > from ? to + 1 : to] ?? null;
}

/** The list after the move. */
export function moved<Item>(items: readonly Item[], from: number, to: number): readonly Item[] {
  const next = [...items];
  next.splice(to, 0, ...next.splice(from, 1));
  return next;
}
