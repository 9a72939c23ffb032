import { createLink, type LinkComponent } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';

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
