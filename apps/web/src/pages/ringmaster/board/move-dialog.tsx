import type { ReactNode } from 'react';

import type { BoardTask } from '../../../api/types.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { type ColumnName, columnNames, columnOf, columns, mayMove } from './columns.ts';

interface MoveDialogProps {
  readonly task: BoardTask | undefined;
  readonly onMove: (task: BoardTask, to: ColumnName) => void;
  readonly onClose: () => void;
}

/** For fingers and for those who do not drag. */
export function MoveDialog({ task, onMove, onClose }: MoveDialogProps): ReactNode {
  const targets = task === undefined ? [] : columnNames.filter((name) => mayMove(task, name));
  return (
    <Dialog title="Move the task" description={task?.title} isOpen={task !== undefined} onClose={onClose}>
      {task !== undefined && (
        <div className="flex flex-wrap gap-2">
          {targets.map((name) => (
            <Button
              key={name}
              onClick={() => {
                onClose();
                onMove(task, name);
              }}
            >
              {columns[name].title}
            </Button>
          ))}
          {targets.length === 0 && (
            <p className="text-muted">From {columns[columnOf(task)].title} a worker alone moves it on.</p>
          )}
        </div>
      )}
    </Dialog>
  );
}
