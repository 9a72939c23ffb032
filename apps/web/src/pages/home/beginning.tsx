import type { ReactNode } from 'react';

import { Command } from '../../ui/copy-button.tsx';

interface BeginningProps {
  /** Where the command is typed, or what comes of it. */
  readonly children: ReactNode;
  readonly command: string;
}

/** How an application is begun, where there is nothing of it yet. */
export function Beginning({ children, command }: BeginningProps): ReactNode {
  return (
    <div className="grid gap-2">
      <p className="text-[13px]">{children}</p>
      <Command text={command} />
    </div>
  );
}
