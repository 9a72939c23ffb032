import type { ComponentProps, ReactNode } from 'react';

interface ScrollRegionProps extends Omit<ComponentProps<'div'>, 'role' | 'aria-label' | 'tabIndex'> {
  readonly label: string;
}

/** A scrollable area. It takes the focus, because otherwise it could not be scrolled by keyboard. */
export function ScrollRegion({ label, ...rest }: ScrollRegionProps): ReactNode {
  return <div role="region" aria-label={label} tabIndex={0} {...rest} />;
}
