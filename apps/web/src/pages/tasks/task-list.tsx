import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { ListTodo, SearchX } from 'lucide-react';
import type { ReactNode, Ref } from 'react';

import type { Task } from '../../api/types.ts';
import { Command } from '../../ui/copy-button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { type ListControls, VirtualList } from '../../ui/virtual-list.tsx';
import { TaskEditor } from './task-editor.tsx';
import { type RowActions, TaskRow } from './task-row.tsx';
import type { Editor } from './use-editor.ts';

interface TaskListProps extends RowActions {
  readonly query: Pick<UseInfiniteQueryResult, 'isError' | 'error' | 'isPending' | 'refetch'>;
  readonly tasks: readonly Task[];
  readonly active: number;
  readonly editor: Editor;
  readonly isFiltered: boolean;
  readonly mayChange: boolean;
  readonly controls: Ref<ListControls>;
  readonly onEnd: () => void;
}

const ROW_HEIGHT = 62;

export function TaskList(props: TaskListProps): ReactNode {
  const { query, tasks, active, editor, isFiltered, mayChange, controls, onEnd, ...actions } = props;
  const { draft } = editor;
  // The editor stays open when its task leaves the list.
  const isElsewhere = draft !== undefined && !tasks.some(({ id }) => id === draft.base.id);
  return (
    <>
      {isElsewhere && <TaskEditor editor={editor} draft={draft} />}
      {tasks.length > 0 ? (
        <VirtualList
          label="Tasks"
          rows={tasks}
          rowHeight={ROW_HEIGHT}
          keyOf={({ id }) => id}
          onEnd={onEnd}
          controls={controls}
          render={(task) =>
            task.id === draft?.base.id ? (
              <TaskEditor editor={editor} draft={draft} />
            ) : (
              <TaskRow task={task} isActive={tasks[active]?.id === task.id} mayChange={mayChange} {...actions} />
            )
          }
        />
      ) : query.isError ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : query.isPending ? (
        <Skeleton lines={6} />
      ) : (
        !isElsewhere && <Nothing isFiltered={isFiltered} />
      )}
    </>
  );
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }): ReactNode {
  if (isFiltered) {
    return (
      <EmptyState icon={SearchX} title="No matching tasks">
        <p>Select fewer tags, change the search, or show all tasks.</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={ListTodo} title="No open tasks">
      <p>Add one above, or in a terminal:</p>
      <Command text={'ut add "Buy milk" -t errand'} />
    </EmptyState>
  );
}
