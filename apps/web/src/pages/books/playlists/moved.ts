/** The id of the item to move before, null for the end of the list, undefined if nothing would change. */
export function targetOf(ids: readonly string[], from: number, to: number): string | null | undefined {
  if (from === to || to < 0 || to >= ids.length) return undefined;
  return ids[to > from ? to + 1 : to] ?? null;
}

/** The list after the move. */
export function moved<Item>(items: readonly Item[], from: number, to: number): readonly Item[] {
  const next = [...items];
  next.splice(to, 0, ...next.splice(from, 1));
  return next;
}
