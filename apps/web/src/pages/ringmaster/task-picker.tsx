import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';

import { boardQuery } from '../../api/ringmaster-queries.ts';
import type { BoardTask } from '../../api/types.ts';
import { IconButton } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';

interface TaskPickerProps {
  readonly workspace: string;
  readonly label: string;
  readonly help?: string;
  readonly chosen: readonly string[];
  readonly onChange: (ids: readonly string[]) => void;
  /** Maximum number of chosen tasks. */
  readonly limit?: number;
}

const SHOWN = 8;

/** Chooses tasks by part of their title or id. */
function TaskPicker(props: TaskPickerProps): ReactNode {
  const { workspace, label, help, chosen, onChange, limit = 100 } = props;
  const [text, setText] = useState('');
  const id = useId();
  const { data: tasks = [] } = useQuery(boardQuery(workspace, { project: '', search: '' }));
  const found = text.trim() === '' ? [] : matching(tasks, text, chosen);
  return (
    <div className="grid gap-2">
      {chosen.length > 0 && (
        <ul aria-label={label} className="grid gap-1">
          {chosen.map((each) => (
            <li key={each} className="flex items-center gap-2 rounded-lg bg-sunken pl-3">
              <bdi className="min-w-0 flex-1 truncate">{tasks.find((task) => task.id === each)?.title ?? each}</bdi>
              <IconButton
                icon={X}
                label={`Remove ${each}`}
                onClick={() => onChange(chosen.filter((one) => one !== each))}
              />
            </li>
          ))}
        </ul>
      )}
      {chosen.length < limit && (
        <Field
          label={label}
          {...(help === undefined ? {} : { help })}
          value={text}
          onChange={setText}
          placeholder="Part of a title or id"
          aria-controls={id}
        />
      )}
      <ul id={id} aria-label={`Tasks for: ${label}`} className="grid gap-0.5">
        {found.map((task) => (
          <li key={task.id}>
            <button
              type="button"
              className="w-full truncate rounded-lg px-3 py-1.5 text-left hover:bg-sunken"
              onClick={() => {
                onChange([...chosen, task.id]);
                setText('');
              }}
            >
              <bdi>{task.title}</bdi> <span className="font-mono text-xs text-muted">{task.id}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function matching(tasks: readonly BoardTask[], text: string, chosen: readonly string[]): readonly BoardTask[] {
  const words = text.toLowerCase().trim().split(/\s+/u);
  return tasks
    .filter(({ id, title }) => {
      const lower = `${id} ${title}`.toLowerCase();
      return !chosen.includes(id) && words.every((word) => lower.includes(word));
    })
    .slice(0, SHOWN);
}

export interface TaskLinks {
  readonly needed: readonly string[];
  readonly parent: string | null;
}

interface TaskLinkFieldsProps {
  readonly workspace: string;
  readonly links: TaskLinks;
  readonly onChange: (links: TaskLinks) => void;
  readonly error: string | undefined;
}

/** The tasks that a task depends on, and the task that it is part of. */
export function TaskLinkFields({ workspace, links, onChange, error }: TaskLinkFieldsProps): ReactNode {
  return (
    <>
      <TaskPicker
        workspace={workspace}
        label="Depends on"
        help="Tasks that must finish first."
        chosen={links.needed}
        onChange={(needed) => onChange({ ...links, needed })}
      />
      <TaskPicker
        workspace={workspace}
        label="Part of"
        help="Epic or task that contains this task."
        chosen={links.parent === null ? [] : [links.parent]}
        onChange={([parent = null]) => onChange({ ...links, parent })}
        limit={1}
      />
      {error !== undefined && (
        <p role="alert" className="text-[13px] text-bad">
          {error}
        </p>
      )}
    </>
  );
}
