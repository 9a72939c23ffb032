import { Link } from '@tanstack/react-router';
import { MapPinOff } from 'lucide-react';
import type { ReactNode } from 'react';

import { buttonClass } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';

export function NotFound(): ReactNode {
  return (
    <EmptyState icon={MapPinOff} title="There is no such page">
      <p>The address may have been mistyped, or the page belongs to another version.</p>
      <Link to="/" className={buttonClass()}>
        Go home
      </Link>
    </EmptyState>
  );
}
