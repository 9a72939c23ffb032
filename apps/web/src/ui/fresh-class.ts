/** Highlights a row that has just changed, then fades. */
export function freshClass(isFresh: boolean): string {
  return isFresh ? 'bg-accent-soft' : 'transition-colors duration-1000';
}
