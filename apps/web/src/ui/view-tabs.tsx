import { type ReactNode, useEffect, useRef } from 'react';

interface ViewTabsProps {
  readonly label: string;
  /** Which of them is shown: it is brought into sight where there is no room for all. */
  readonly current: string | undefined;
  readonly children: ReactNode;
}

/** The line of views above a page; each is a `ViewTab` in an `li`. */
export function ViewTabs({ label, current, children }: ViewTabsProps): ReactNode {
  const strip = useRef<HTMLElement>(null);
  const inSight = useRef<string>(undefined);
  // After each rendering: its tab may only come when it is known what somebody may do. Afterwards the strip is left alone.
  useEffect(() => {
    if (inSight.current === current) return;
    const tab = strip.current?.querySelector('[aria-current=page]');
    if (!tab || strip.current === null) return;
    const [outer, inner] = [strip.current.getBoundingClientRect(), tab.getBoundingClientRect()];
    strip.current.scrollLeft += inner.left - outer.left - (outer.width - inner.width) / 2;
    inSight.current = current;
  });
  return (
    <nav ref={strip} aria-label={label} className="overflow-x-auto border-b border-line print:hidden">
      <ul className="flex">{children}</ul>
    </nav>
  );
}
