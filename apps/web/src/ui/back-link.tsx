import { createLink, type LinkComponent } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';

function Anchor({ children, ...rest }: ComponentProps<'a'>): ReactNode {
  return (
    <a {...rest} className="flex w-fit items-center gap-1.5 text-[13px] text-muted hover:text-text">
      <ArrowLeft className="size-3.5" aria-hidden />
      {children}
    </a>
  );
}

export const BackLink: LinkComponent<typeof Anchor> = createLink(Anchor);
