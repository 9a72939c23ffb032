import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

interface TaskLinkProps {
  readonly workspace: string;
  readonly id: string;
  readonly children: ReactNode;
}

export function ToTask({ workspace, id, children }: TaskLinkProps): ReactNode {
  return (
    <Link
      to="/ringmaster/$workspace/tasks/$id"
      params={{ workspace, id }}
      dir="auto"
      className="min-w-0 font-medium break-words underline decoration-line-strong underline-offset-2 hover:decoration-current"
    >
      {children}
    </Link>
  );
}
