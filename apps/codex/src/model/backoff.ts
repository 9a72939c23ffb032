/**
 * How long to wait before the next try: the limit doubles with each, and the wait is anything up to it. Full jitter,
 * so that what failed together does not come back together.
 */
export function backoffMs(tries: number, baseMs: number, maxMs: number, random: () => number): number {
  const limit = Math.min(maxMs, baseMs * 2 ** Math.max(0, tries - 1));
  return Math.round(random() * limit);
}
