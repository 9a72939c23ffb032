import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Headphones } from 'lucide-react';
import type { ReactNode } from 'react';

import { rightsQuery } from '../../api/audiobooks-queries.ts';
import { buttonClass } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';

export function NoBookYet(): ReactNode {
  const manages = useQuery(rightsQuery).data?.can.manage ?? false;
  return (
    <EmptyState icon={Headphones} title="No audiobooks yet">
      <p>Books appear here once a library has been scanned.</p>
      {manages && (
        <Link to="/books" className={buttonClass()}>
          Open libraries
        </Link>
      )}
    </EmptyState>
  );
}
