import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';

import { attentionQuery, boardQuery } from '../../../api/ringmaster-queries.ts';
import type { BoardTask, Workspace } from '../../../api/types.ts';
import { useMay } from '../../../lib/permissions.ts';
import { useFilters } from '../../../lib/filters.ts';
import { Announce } from '../../../ui/announce.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { AnswerForm } from '../answer-form.tsx';
import { WorkspaceFilters } from '../workspace-filters.tsx';
import { type ColumnName, columnNames, columnOf, columns, lanesOf, mayMove } from './columns.ts';
import { Lane } from './lane.tsx';
import { useBoardFocus } from './use-board-focus.ts';
import { useMove } from './use-move.ts';

export function Board({ workspace }: { readonly workspace: Workspace }): ReactNode {
  const [{ project = '', text = '' }] = useFilters();
  const tasks = useQuery(boardQuery(workspace.id, { project, search: text }));
  return (
    <>
      <Asked workspace={workspace.id} />
      <WorkspaceFilters workspace={workspace} label="Search tasks by title or id" />
      <Loaded query={tasks}>{(found) => <Lanes workspace={workspace.id} tasks={found} />}</Loaded>
    </>
  );
}

/** Open decisions and questions block work, so they come first. */
function Asked({ workspace }: { readonly workspace: string }): ReactNode {
  const { data } = useQuery(attentionQuery(workspace));
  if (data === undefined || data.inquiries.length === 0) return null;
  return (
    <Card title="Needs your answer" isFlush>
      <div className="max-h-96 divide-y divide-line overflow-y-auto border-t border-line">
        {data.inquiries.map((inquiry) => (
          <AnswerForm key={inquiry.task_id} workspace={workspace} inquiry={inquiry} />
        ))}
      </div>
    </Card>
  );
}

function Lanes({ workspace, tasks }: { readonly workspace: string; readonly tasks: readonly BoardTask[] }): ReactNode {
  const lanes = useMemo(() => lanesOf(tasks), [tasks]);
  const [dragged, setDragged] = useState<BoardTask>();
  const [moving, setMoving] = useState<BoardTask>();
  const mayChange = useMay('app:ringmaster:write');
  const { move, told } = useMove(workspace);
  const focus = useBoardFocus({ workspace, lanes, onMove: mayChange ? move : undefined, onAsk: setMoving });
  return (
    <>
      <p className="-mb-3 text-[13px] text-muted max-md:hidden">
        Arrow keys select a card, Enter opens it.
        {mayChange && ' Drag a card, or press Shift with ← or →, or M, to move it.'}
      </p>
      <div className="-mx-1 grid grid-flow-col gap-3 overflow-x-auto px-1 pb-2 auto-cols-[minmax(11.5rem,1fr)]">
        {columnNames.map((name) => (
          <Lane
            key={name}
            name={name}
            workspace={workspace}
            tasks={lanes[name]}
            dragged={dragged}
            mayChange={mayChange}
            focus={focus}
            onDrag={setDragged}
            onDrop={() => {
              if (dragged !== undefined) move(dragged, name);
              setDragged(undefined);
            }}
            onAsk={setMoving}
          />
        ))}
      </div>
      <MoveDialog
        task={moving}
        onMove={(task, to) => {
          focus.choose(task.id);
          move(task, to);
        }}
        onClose={() => setMoving(undefined)}
      />
      <Announce text={told} />
    </>
  );
}

interface MoveDialogProps {
  readonly task: BoardTask | undefined;
  readonly onMove: (task: BoardTask, to: ColumnName) => void;
  readonly onClose: () => void;
}

/** For touch screens and keyboards. */
function MoveDialog({ task, onMove, onClose }: MoveDialogProps): ReactNode {
  const targets = task === undefined ? [] : columnNames.filter((name) => mayMove(task, name));
  return (
    <Dialog title="Move task" description={task?.title} isOpen={task !== undefined} onClose={onClose}>
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
            <p className="text-muted">Only workers move tasks out of {columns[columnOf(task)].title}.</p>
          )}
        </div>
      )}
    </Dialog>
  );
}
