import { createLink, type LinkComponent } from '@tanstack/react-router';
import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react';

interface ViewTabsProps {
  readonly label: string;
  /** Name of the current tab. The strip scrolls to it. */
  readonly current: string | undefined;
  readonly children: ReactNode;
}

/** Tabs above a page; each is a `ViewTab` in an `li`. */
export function ViewTabs({ label, current, children }: ViewTabsProps): ReactNode {
  const strip = useRef<HTMLElement>(null);
  const inSight = useRef<string>(undefined);
  // Runs after each render, because a tab may appear only when permissions are loaded. Scrolls once per tab.
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

interface AnchorProps extends ComponentProps<'a'> {
  readonly isCurrent: boolean;
}

function Anchor({ isCurrent, ...rest }: AnchorProps): ReactNode {
  return (
    <a
      {...rest}
      aria-current={isCurrent ? 'page' : undefined}
      className={`block border-b-2 px-2.5 py-2 text-[13px] font-medium whitespace-nowrap -outline-offset-2 ${
        isCurrent ? 'border-accent text-accent-strong' : 'border-transparent text-muted hover:text-text'
      }`}
    />
  );
}

export const ViewTab: LinkComponent<typeof Anchor> = createLink(Anchor);
