import { useNavigate } from '@tanstack/react-router';
import { Archive, ListPlus, Pencil, Plus, Undo2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { npApi } from '../../api/clients.ts';
import type { Plan } from '../../api/types.ts';
import { useAction } from '../../api/use-action.ts';
import { messageOf } from '../../lib/error-reason.ts';
import { useMay } from '../../lib/permissions.ts';
import { randomKey } from '../../lib/random-key.ts';
import { Button } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { Field, TextArea } from '../../ui/field.tsx';
import { FolderField } from '../../ui/folder-field.tsx';
import { usePlanAction } from './plan-actions.ts';

export function NewPlanButton(): ReactNode {
  const mayWrite = useMay('app:np:write');
  const [isOpen, setOpen] = useState(false);
  if (!mayWrite) return null;
  return (
    <>
      <Button variant="primary" icon={Plus} onClick={() => setOpen(true)}>
        New plan
      </Button>
      {isOpen && <NewPlan onClose={() => setOpen(false)} />}
    </>
  );
}

const lineBreaks = /\r?\n/u;

/** Returns the lines of a text that are not blank. */
function linesOf(text: string): readonly string[] {
  return text
    .split(lineBreaks)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function NewPlan({ onClose }: { readonly onClose: () => void }): ReactNode {
  const navigate = useNavigate();
  const [directory, setDirectory] = useState('');
  const [goal, setGoal] = useState('');
  const [tasks, setTasks] = useState('');
  const [key] = useState(randomKey);
  const create = useAction({
    failed: 'Could not create the plan',
    atField: ['DIRECTORY_GONE', 'SESSION_EXISTS'],
    touches: ['np'],
    async run() {
      const plan = [`# ${goal.trim()}`, '', ...linesOf(tasks).map((line) => `- [ ] ${line}`)].join('\n');
      const { data } = await npApi.POST('/sessions', { body: { directory, plan }, idempotencyKey: key });
      await navigate({ to: '/plans/$sid', params: { sid: data.session.sid } });
    },
  });
  return (
    <FormDialog
      title="New plan"
      description="A plan belongs to a directory on the server. Agents that work there use the same plan."
      action="Create plan"
      isBusy={create.isPending}
      isDisabled={directory === '' || goal.trim() === ''}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <FolderField
        label="Directory"
        value={directory}
        onChange={setDirectory}
        error={messageOf(create.error, 'DIRECTORY_GONE', 'SESSION_EXISTS')}
        required
      />
      <Field label="Goal" value={goal} onChange={setGoal} required />
      <TextArea
        label="Tasks"
        help="One per line, in the order in which to do them."
        rows={5}
        value={tasks}
        onChange={setTasks}
      />
    </FormDialog>
  );
}

type Open = 'goal' | 'tasks' | 'archive';

/** Buttons that change a plan: its goal, its tasks and its state. */
export function PlanButtons({ plan }: { readonly plan: Plan }): ReactNode {
  const mayWrite = useMay('app:np:write');
  const [open, setOpen] = useState<Open>();
  const { sid, state } = plan.session;
  const undo = useAction({
    failed: 'Could not undo',
    done: () => 'Undone',
    touches: ['np'],
    run: () => npApi.POST('/sessions/{sid}/undo', { params: { sid }, body: {} }),
  });
  const activate = usePlanAction(sid, {
    failed: 'Could not make the plan active',
    done: 'The plan is active again',
    run: () => npApi.POST('/sessions/{sid}/archive', { params: { sid }, body: { undo: true } }),
  });
  if (!mayWrite) return null;
  const close = (): void => setOpen(undefined);
  if (state === 'archived') {
    return (
      <Button size="small" isBusy={activate.isPending} onClick={() => activate.mutate()}>
        Make active again
      </Button>
    );
  }
  return (
    <>
      <Button size="small" variant="primary" icon={ListPlus} onClick={() => setOpen('tasks')}>
        Add tasks
      </Button>
      <Button size="small" icon={Pencil} onClick={() => setOpen('goal')}>
        {plan.goal === null ? 'Set goal' : 'Edit goal'}
      </Button>
      <Button size="small" icon={Undo2} isBusy={undo.isPending} onClick={() => undo.mutate()}>
        Undo
      </Button>
      <Button size="small" icon={Archive} onClick={() => setOpen('archive')}>
        Archive
      </Button>
      {open === 'tasks' && <AddTasks sid={sid} onClose={close} />}
      {open === 'goal' && <EditGoal plan={plan} onClose={close} />}
      {open === 'archive' && <ArchivePlan sid={sid} onClose={close} />}
    </>
  );
}

interface PlanDialogProps {
  readonly sid: string;
  readonly onClose: () => void;
}

function AddTasks({ sid, onClose }: PlanDialogProps): ReactNode {
  const [text, setText] = useState('');
  const [key] = useState(randomKey);
  const add = usePlanAction(sid, {
    failed: 'Could not add the tasks',
    done: 'Tasks added',
    async run() {
      const tasks = linesOf(text).map((title) => ({ title, description: '' }));
      await npApi.POST('/sessions/{sid}/tasks', { params: { sid }, body: { tasks }, idempotencyKey: key });
      onClose();
    },
  });
  return (
    <FormDialog
      title="Add tasks"
      action="Add tasks"
      isBusy={add.isPending}
      isDisabled={linesOf(text).length === 0}
      onSubmit={() => add.mutate()}
      onClose={onClose}
    >
      <TextArea
        label="Tasks"
        help="One per line, in the order in which to do them."
        rows={6}
        value={text}
        onChange={setText}
      />
    </FormDialog>
  );
}

function EditGoal({ plan, onClose }: { readonly plan: Plan; readonly onClose: () => void }): ReactNode {
  const { sid } = plan.session;
  const isNew = plan.goal === null;
  const [title, setTitle] = useState(plan.goal?.title ?? '');
  const [description, setDescription] = useState(plan.goal?.description ?? '');
  const [reason, setReason] = useState('');
  const save = usePlanAction(sid, {
    failed: 'Could not change the goal',
    done: 'Goal saved',
    async run() {
      const params = { sid };
      await (isNew
        ? npApi.PUT('/sessions/{sid}/goal', { params, body: { title, description } })
        : npApi.PATCH('/sessions/{sid}/goal', { params, body: { title, description, reason } }));
      onClose();
    },
  });
  return (
    <FormDialog
      title={isNew ? 'Set goal' : 'Edit goal'}
      action="Save goal"
      isBusy={save.isPending}
      isDisabled={title.trim() === '' || (!isNew && reason.trim() === '')}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <Field label="Goal" value={title} onChange={setTitle} required />
      <TextArea label="Description" rows={4} value={description} onChange={setDescription} />
      {!isNew && <ReasonField value={reason} onChange={setReason} />}
    </FormDialog>
  );
}

function ArchivePlan({ sid, onClose }: PlanDialogProps): ReactNode {
  const archive = usePlanAction(sid, {
    failed: 'Could not archive the plan',
    done: 'Plan archived',
    undo: () => npApi.POST('/sessions/{sid}/archive', { params: { sid }, body: { undo: true } }),
    async run() {
      await npApi.POST('/sessions/{sid}/archive', { params: { sid }, body: {} });
      onClose();
    },
  });
  return (
    <FormDialog
      title="Archive plan"
      description="The plan and its log stay readable. You can then start a new plan in the directory."
      action="Archive plan"
      isBusy={archive.isPending}
      onSubmit={() => archive.mutate()}
      onClose={onClose}
    >
      {null}
    </FormDialog>
  );
}

interface ReasonFieldProps {
  readonly value: string;
  readonly onChange: (reason: string) => void;
}

export function ReasonField(props: ReasonFieldProps): ReactNode {
  return (
    <Field label="Reason" help="The log shows the reason to everybody who works on this plan." required {...props} />
  );
}
