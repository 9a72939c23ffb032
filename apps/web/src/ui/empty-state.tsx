import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  readonly icon: LucideIcon;
  readonly title: string;
  readonly children?: ReactNode;
}

/** Says what belongs here and how to add it. */
export function EmptyState({ icon: Icon, title, children }: EmptyStateProps): ReactNode {
  return (
    <div className="grid justify-items-center gap-2 px-6 py-12 text-center">
      <span className="grid size-11 place-items-center rounded-full bg-accent-soft text-accent">
        <Icon className="size-5" aria-hidden />
      </span>
      <p className="mt-1 font-semibold">{title}</p>
      <div className="grid max-w-md justify-items-center gap-3 text-pretty text-muted">{children}</div>
    </div>
  );
}
