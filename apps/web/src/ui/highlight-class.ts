/** Highlights a row that has just changed, then fades. */
export function highlightClass(isFresh: boolean): string {
  return isFresh ? 'bg-accent-soft' : 'transition-colors duration-1000';
}
