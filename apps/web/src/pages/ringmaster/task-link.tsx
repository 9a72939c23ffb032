import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

interface TaskLinkProps {
  readonly place: string;
  readonly id: string;
  readonly children: ReactNode;
}

export function ToTask({ place, id, children }: TaskLinkProps): ReactNode {
  return (
    <Link
      to="/ringmaster/$place/tasks/$id"
      params={{ place, id }}
      dir="auto"
      className="min-w-0 font-medium break-words underline decoration-line-strong underline-offset-2 hover:decoration-current"
    >
      {children}
    </Link>
  );
}
