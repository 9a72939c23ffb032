import { ArrowDown, ArrowUp, Ban, Check, CirclePlay, Ellipsis, Hand, Pencil, RotateCcw, Trash2, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { npApi } from '../../api/clients.ts';
import type { Plan, PlanTask } from '../../api/types.ts';
import { useMay } from '../../lib/permissions.ts';
import { IconButton } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { Field, TextArea } from '../../ui/field.tsx';
import { Menu, type MenuItem, type MenuPosition } from '../../ui/menu.tsx';
import { usePlanAction } from './plan-actions.ts';
import { ReasonField } from './plan-dialogs.tsx';
import { type Status, statusStyles } from './plan-status.tsx';

type Asked = 'edit' | 'delete' | 'failed' | 'cancelled';

interface TaskMenuProps {
  readonly plan: Plan;
  readonly task: PlanTask;
}

export function TaskMenu({ plan, task }: TaskMenuProps): ReactNode {
  const mayWrite = useMay('app:np:write');
  const [at, setAt] = useState<MenuPosition>();
  const [asked, setAsked] = useState<Asked>();
  const items = useMenuItems(plan, task, setAsked);
  if (!mayWrite || plan.session.state === 'archived') return null;
  const close = (): void => setAsked(undefined);
  const ids = { sid: plan.session.sid, task };
  return (
    <>
      <IconButton
        icon={Ellipsis}
        label={`Actions for ${task.title}`}
        aria-haspopup="menu"
        onClick={({ currentTarget }) => {
          const { left, bottom } = currentTarget.getBoundingClientRect();
          setAt({ x: left, y: bottom });
        }}
      />
      <Menu label={`Actions for ${task.title}`} at={at} items={items} onClose={() => setAt(undefined)} />
      {asked === 'edit' && <EditTask {...ids} onClose={close} />}
      {asked === 'delete' && <DeleteTask {...ids} onClose={close} />}
      {(asked === 'failed' || asked === 'cancelled') && <EndTask {...ids} status={asked} onClose={close} />}
    </>
  );
}

function useMenuItems(plan: Plan, task: PlanTask, ask: (asked: Asked) => void): readonly MenuItem[] {
  const { sid } = plan.session;
  const { id, status, actor } = task;
  const params = { sid, id };
  const position = plan.tasks.findIndex((each) => each.id === id);
  const [before, after] = [plan.tasks[position - 1], plan.tasks[position + 1]];
  const setStatus = usePlanAction<Status>(sid, {
    failed: 'Could not change the task',
    done: `Changed: ${task.title}`,
    run: (next) => npApi.PATCH('/sessions/{sid}/tasks', { params: { sid }, body: { updates: [{ id, status: next }] } }),
  });
  const move = usePlanAction<{ readonly before: string } | { readonly after: string }>(sid, {
    failed: 'Could not move the task',
    done: `Moved: ${task.title}`,
    run: (place) => npApi.POST('/sessions/{sid}/tasks/{id}/move', { params, body: place }),
  });
  const claim = usePlanAction(sid, {
    failed: 'Could not claim the task',
    done: `Claimed: ${task.title}`,
    run: () => npApi.POST('/sessions/{sid}/tasks/{id}/claim', { params, body: {} }),
  });
  const release = usePlanAction(sid, {
    failed: 'Could not release the task',
    done: `Released: ${task.title}`,
    run: () => npApi.POST('/sessions/{sid}/tasks/{id}/release', { params, body: {} }),
  });
  const isOpen = status === 'pending' || status === 'in_progress';
  const items: readonly (MenuItem | false)[] = [
    status !== 'completed' && { label: 'Complete', icon: Check, run: () => setStatus.mutate('completed') },
    status === 'pending' && { label: 'Start', icon: CirclePlay, run: () => setStatus.mutate('in_progress') },
    !isOpen && { label: 'Reopen', icon: RotateCcw, run: () => setStatus.mutate('pending') },
    isOpen && actor === undefined && { label: 'Claim', icon: Hand, run: () => claim.mutate() },
    actor !== undefined && { label: 'Release', icon: Hand, run: () => release.mutate() },
    before !== undefined && { label: 'Move up', icon: ArrowUp, run: () => move.mutate({ before: before.id }) },
    after !== undefined && { label: 'Move down', icon: ArrowDown, run: () => move.mutate({ after: after.id }) },
    { label: 'Edit …', icon: Pencil, run: () => ask('edit') },
    isOpen && { label: 'Mark as failed …', icon: X, run: () => ask('failed') },
    isOpen && { label: 'Cancel …', icon: Ban, run: () => ask('cancelled') },
    { label: 'Delete …', icon: Trash2, isDanger: true, run: () => ask('delete') },
  ];
  return items.filter((item) => item !== false);
}

interface TaskDialogProps {
  readonly sid: string;
  readonly task: PlanTask;
  readonly onClose: () => void;
}

function EditTask({ sid, task, onClose }: TaskDialogProps): ReactNode {
  const [title, setTitle] = useState(task.title);
  const [description, setDescription] = useState(task.description);
  const [reason, setReason] = useState('');
  const save = usePlanAction(sid, {
    failed: 'Could not change the task',
    done: 'Task saved',
    async run() {
      const updates = [{ id: task.id, title, description, reason }];
      await npApi.PATCH('/sessions/{sid}/tasks', { params: { sid }, body: { updates } });
      onClose();
    },
  });
  const isSame = title === task.title && description === task.description;
  return (
    <FormDialog
      title="Edit task"
      action="Save task"
      isBusy={save.isPending}
      isDisabled={isSame || title.trim() === '' || reason.trim() === ''}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <Field label="Title" value={title} onChange={setTitle} required />
      <TextArea label="Description" rows={4} value={description} onChange={setDescription} />
      <ReasonField value={reason} onChange={setReason} />
    </FormDialog>
  );
}

function EndTask({ sid, task, status, onClose }: TaskDialogProps & { readonly status: Status }): ReactNode {
  const [reason, setReason] = useState('');
  const end = usePlanAction(sid, {
    failed: 'Could not change the task',
    done: `${statusStyles[status].word}: ${task.title}`,
    async run() {
      const updates = [{ id: task.id, status, reason }];
      await npApi.PATCH('/sessions/{sid}/tasks', { params: { sid }, body: { updates } });
      onClose();
    },
  });
  return (
    <FormDialog
      title={status === 'failed' ? 'Mark task as failed' : 'Cancel task'}
      description={task.title}
      action={status === 'failed' ? 'Mark as failed' : 'Cancel task'}
      isBusy={end.isPending}
      isDisabled={reason.trim() === ''}
      onSubmit={() => end.mutate()}
      onClose={onClose}
    >
      <ReasonField value={reason} onChange={setReason} />
    </FormDialog>
  );
}

function DeleteTask({ sid, task, onClose }: TaskDialogProps): ReactNode {
  const [reason, setReason] = useState('');
  const remove = usePlanAction(sid, {
    failed: 'Could not delete the task',
    done: `Deleted: ${task.title}`,
    async run() {
      await npApi.DELETE('/sessions/{sid}/tasks/{id}', { params: { sid, id: task.id }, query: { reason } });
      onClose();
    },
  });
  return (
    <FormDialog
      title="Delete task"
      description={task.title}
      action="Delete task"
      isBusy={remove.isPending}
      isDisabled={reason.trim() === ''}
      onSubmit={() => remove.mutate()}
      onClose={onClose}
    >
      <ReasonField value={reason} onChange={setReason} />
    </FormDialog>
  );
}
