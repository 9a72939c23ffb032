import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import type { DatabaseName } from '../api/types.ts';

/** Links to the current value of a key. */
export function KeyLink({ name, text }: { readonly name: DatabaseName; readonly text: string }): ReactNode {
  return (
    <Link
      to="/keys/$name"
      params={{ name }}
      search={{ prefix: folderOf(text), key: text }}
      className="font-mono text-[13px] break-all text-accent-strong underline decoration-line-strong underline-offset-2 hover:decoration-current"
    >
      {text}
    </Link>
  );
}

/** `s/1/task/` for `s/1/task/9`. */
function folderOf(key: string): string {
  return key.slice(0, Math.max(key.lastIndexOf('/'), key.lastIndexOf(':')) + 1);
}
