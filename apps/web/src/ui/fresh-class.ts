/** How a row looks that has only just changed: it stands out at once, and fades. */
export function freshClass(isFresh: boolean): string {
  return isFresh ? 'bg-accent-soft' : 'transition-colors duration-1000';
}
