import { useNavigate } from '@tanstack/react-router';
import { FolderPlus, Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { ringmasterApi } from '../../api/clients.ts';
import type { Workspace } from '../../api/types.ts';
import { useAction } from '../../api/use-action.ts';
import { messageOf } from '../../lib/error-reason.ts';
import { useMay } from '../../lib/permissions.ts';
import { randomKey } from '../../lib/random-key.ts';
import { say } from '../../lib/toasts.ts';
import { Button } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { Choice, Field, TextArea } from '../../ui/field.tsx';
import { TaskLinkFields, type TaskLinks } from './task-picker.tsx';

interface WorkspaceProps {
  readonly workspace: Workspace;
}

/** Buttons that add a task or a project to a workspace. */
export function CreateButtons({ workspace }: WorkspaceProps): ReactNode {
  const mayWrite = useMay('app:ringmaster:write');
  const [open, setOpen] = useState<'task' | 'project'>();
  if (!mayWrite) return null;
  const close = (): void => setOpen(undefined);
  return (
    <>
      <Button size="small" variant="primary" icon={Plus} onClick={() => setOpen('task')}>
        New task
      </Button>
      <Button size="small" icon={FolderPlus} onClick={() => setOpen('project')}>
        New project
      </Button>
      {open === 'task' && <NewTask workspace={workspace} onClose={close} />}
      {open === 'project' && <NewProject workspace={workspace} onClose={close} />}
    </>
  );
}

interface CreateProps extends WorkspaceProps {
  readonly onClose: () => void;
}

const priorities = [
  { value: 'P0', label: 'P0, urgent' },
  { value: 'P1', label: 'P1' },
  { value: 'P2', label: 'P2, normal' },
  { value: 'P3', label: 'P3' },
  { value: 'P4', label: 'P4, can wait' },
] as const;
type Priority = (typeof priorities)[number]['value'];

const types = [
  { value: 'task', label: 'Task' },
  { value: 'epic', label: 'Epic: consists of other tasks' },
  { value: 'draft', label: 'Draft: does not start yet' },
] as const;

function withoutEmpty<Name extends string>(fields: Readonly<Record<Name, string>>): Partial<Record<Name, string>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '')) as Partial<
    Record<Name, string>
  >;
}

interface ProjectChoiceProps {
  readonly projects: CreateProps['workspace']['projects'];
  readonly value: string;
  readonly onChange: (id: string) => void;
}

/** Shows nothing if there is no choice. */
function ProjectChoice({ projects, value, onChange }: ProjectChoiceProps): ReactNode {
  if (projects.length < 2) return null;
  const options = projects.map(({ id, name }) => ({ value: id, label: name }));
  return <Choice label="Project" value={value} options={options} onChange={onChange} />;
}

function NewTask({ workspace, onClose }: CreateProps): ReactNode {
  const { id, projects } = workspace;
  const navigate = useNavigate();
  const [title, setTitle] = useState('');
  const [description, setDescription] = useState('');
  const [project, setProject] = useState(projects[0]?.id ?? '');
  const [priority, setPriority] = useState<Priority>('P2');
  const [type, setType] = useState<(typeof types)[number]['value']>('task');
  const [links, setLinks] = useState<TaskLinks>({ needed: [], parent: null });
  const [key] = useState(randomKey);
  const add = useAction({
    failed: 'Could not add the task',
    atField: ['DEPENDENCY_CYCLE', 'TASK_NOT_FOUND'],
    touches: ['ringmaster'],
    async run() {
      const { data } = await ringmasterApi.POST('/workspaces/{workspace}/tasks', {
        params: { workspace: id },
        body: {
          ...withoutEmpty({ description, project, parent: links.parent ?? '' }),
          ...(type === 'epic' ? { type } : {}),
          title,
          priority,
          depends_on: [...links.needed],
          draft: type === 'draft',
        },
        idempotencyKey: key,
      });
      onClose();
      const task = { workspace: id, id: data.id };
      const open = (): void => void navigate({ to: '/ringmaster/$workspace/tasks/$id', params: task });
      say(`Added: ${title}`, { label: 'Open', run: open });
    },
  });
  return (
    <FormDialog
      title="New task"
      action="Add task"
      isBusy={add.isPending}
      isDisabled={title.trim() === ''}
      onSubmit={() => add.mutate()}
      onClose={onClose}
    >
      <Field label="Title" value={title} onChange={setTitle} required />
      <TextArea
        label="Description"
        help="Also describe how to tell when the task is done."
        rows={4}
        value={description}
        onChange={setDescription}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Choice label="Type" value={type} options={types} onChange={setType} />
        <Choice label="Priority" value={priority} options={priorities} onChange={setPriority} />
      </div>
      <ProjectChoice projects={projects} value={project} onChange={setProject} />
      <TaskLinkFields
        workspace={id}
        links={links}
        onChange={setLinks}
        error={messageOf(add.error, 'DEPENDENCY_CYCLE', 'TASK_NOT_FOUND')}
      />
    </FormDialog>
  );
}

function NewProject({ workspace, onClose }: CreateProps): ReactNode {
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const add = useAction({
    failed: 'Could not add the project',
    atField: ['PROJECT_EXISTS', 'ID_INVALID'],
    done: () => `Added: ${name}`,
    touches: ['ringmaster'],
    async run() {
      await ringmasterApi.POST('/workspaces/{workspace}/projects', {
        params: { workspace: workspace.id },
        body: { name, ...(description === '' ? {} : { description }) },
      });
      onClose();
    },
  });
  return (
    <FormDialog
      title="New project"
      description="A project groups tasks and has its own settings, such as tests and reviews."
      action="Add project"
      isBusy={add.isPending}
      isDisabled={name.trim() === ''}
      onSubmit={() => add.mutate()}
      onClose={onClose}
    >
      <Field
        label="Name"
        value={name}
        onChange={setName}
        error={messageOf(add.error, 'PROJECT_EXISTS', 'ID_INVALID')}
        required
      />
      <TextArea label="Description" rows={3} value={description} onChange={setDescription} />
    </FormDialog>
  );
}
