import { useQuery } from '@tanstack/react-query';
import { Circle, CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';

import { backupsQuery, tokensQuery } from '../../api/queries.ts';
import type { DatabaseState } from '../../api/types.ts';
import { Card } from '../../ui/card.tsx';
import { Command } from '../../ui/copy-button.tsx';

interface Step {
  readonly title: string;
  readonly text: string;
  readonly command: string;
  readonly isDone: boolean;
}

/** What a newcomer does next. Steps that were taken are ticked off; when all are, the card goes away. */
export function NextSteps({ databases }: { readonly databases: readonly DatabaseState[] }): ReactNode {
  const { data: tokens = [] } = useQuery(tokensQuery);
  const { data: backups = [] } = useQuery(backupsQuery('accounts'));
  const plans = databases.find(({ name }) => name === 'np');
  const steps: readonly Step[] = [
    {
      title: 'Start a plan',
      text: 'In a project directory. An agent keeps it with the same command, and every change appears here.',
      command: 'np start',
      // The first commit is the database itself.
      isDone: (plans?.revision ?? 0) > 1,
    },
    {
      title: 'Give it a task',
      text: 'Then open Plans and watch it arrive.',
      command: 'np task add -t "Write the README" -d "For newcomers"',
      isDone: (plans?.revision ?? 0) > 3,
    },
    {
      title: 'Let a program in',
      text: 'A token for scripts and agents. It is shown once; Account lists and revokes them.',
      command: 'holdfast token create --name my-agent',
      isDone: tokens.length > 0,
    },
    {
      title: 'Make a backup',
      text: 'Here under System, or from a terminal. Every commit can be restored from then on.',
      command: 'holdfast backup accounts',
      isDone: backups.length > 0,
    },
  ];
  if (steps.every(({ isDone }) => isDone)) return null;
  return (
    <Card title="Next steps" description="Each is one command in a terminal.">
      <ol className="grid gap-5 md:grid-cols-2">
        {steps.map((step) => (
          <Item key={step.title} step={step} />
        ))}
      </ol>
    </Card>
  );
}

function Item({ step: { title, text, command, isDone } }: { readonly step: Step }): ReactNode {
  const Icon = isDone ? CircleCheck : Circle;
  return (
    <li className="flex min-w-0 gap-3">
      <Icon className={`mt-0.5 size-4 shrink-0 ${isDone ? 'text-good' : 'text-muted'}`} aria-hidden />
      <div className="grid min-w-0 flex-1 content-start gap-2">
        <div>
          <h3 className="font-medium">
            {title}
            {isDone && <span className="text-[13px] font-normal text-good"> · done</span>}
          </h3>
          <p className="text-[13px] text-muted">{text}</p>
        </div>
        <Command text={command} />
      </div>
    </li>
  );
}
