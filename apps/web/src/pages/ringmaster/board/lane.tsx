import type { ReactNode } from 'react';

import type { BoardTask } from '../../../api/types.ts';
import { count } from '../../../lib/format.ts';
import { VirtualList } from '../../../ui/virtual-list.tsx';
import { type ColumnName, columns, mayMove } from './columns.ts';
import { TaskCard } from './task-card.tsx';
import type { BoardFocus } from './use-board-focus.ts';

interface LaneProps {
  readonly name: ColumnName;
  readonly workspace: string;
  readonly tasks: readonly BoardTask[];
  readonly dragged: BoardTask | undefined;
  readonly mayChange: boolean;
  readonly focus: BoardFocus;
  readonly onDrag: (task: BoardTask | undefined) => void;
  readonly onDrop: () => void;
  readonly onAsk: (task: BoardTask) => void;
}

const CARD_HEIGHT = 92;

export function Lane(props: LaneProps): ReactNode {
  const { name, workspace, tasks, dragged, mayChange, focus, onDrag, onDrop, onAsk } = props;
  const { title, empty } = columns[name];
  const isTarget = dragged !== undefined && mayMove(dragged, name);
  const inTab = tasks.some(({ id }) => id === focus.active) ? focus.active : tasks[0]?.id;
  return (
    <section
      aria-label={`${title}, ${count(tasks.length, 'task')}`}
      data-lane={name}
      onDragOver={(event) => isTarget && event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        onDrop();
      }}
      className={`min-w-0 overflow-hidden rounded-xl border bg-sunken ${
        isTarget ? 'border-accent outline-2 outline-accent' : 'border-line'
      } ${dragged !== undefined && !isTarget ? 'opacity-60' : ''}`}
    >
      <h2 className="flex items-baseline justify-between px-3 py-2 font-semibold">
        {title}
        <span className="text-[13px] font-normal text-muted tabular-nums">{count(tasks.length)}</span>
      </h2>
      {tasks.length === 0 ? (
        <p className="px-3 pb-6 text-[13px] text-muted">{empty}</p>
      ) : (
        <VirtualList
          label={`Cards: ${title}`}
          rows={tasks}
          rowHeight={CARD_HEIGHT}
          keyOf={({ id }) => id}
          controls={(controls) => focus.hold(name, controls)}
          render={(task) => (
            <TaskCard
              task={task}
              workspace={workspace}
              isInTabOrder={task.id === inTab}
              mayChange={mayChange && task.may_become.length > 0}
              onKeyDown={(event) => focus.onKeyDown(event, task)}
              onFocus={() => focus.choose(task.id)}
              onBlur={focus.leave}
              onDrag={onDrag}
              onAsk={onAsk}
            />
          )}
        />
      )}
    </section>
  );
}
