/** How something looks that has only just changed: it stands out at once, and fades. */
export function freshClass(isFresh: boolean): string {
  return isFresh
    ? 'bg-accent-soft shadow-[0_0_0_4px_var(--accent-soft)] rounded-sm'
    : 'transition-colors duration-1000';
}
