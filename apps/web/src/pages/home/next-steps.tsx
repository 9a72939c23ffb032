import { useQuery } from '@tanstack/react-query';
import { Circle, CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';

import { backupsQuery, commandsFolderQuery, tokensQuery } from '../../api/queries.ts';
import type { DatabaseState } from '../../api/types.ts';
import { Card } from '../../ui/card.tsx';
import { Command } from '../../ui/copy-button.tsx';

interface Step {
  readonly title: string;
  readonly text: string;
  readonly command: string;
  readonly isDone: boolean;
}

/** First steps for new users. Completed steps are ticked off; the card disappears when all are. */
export function NextSteps({ databases }: { readonly databases: readonly DatabaseState[] }): ReactNode {
  const { data: folder } = useQuery(commandsFolderQuery);
  const { data: tokens } = useQuery(tokensQuery);
  const { data: backups } = useQuery(backupsQuery('accounts'));
  // The first commit creates the database.
  const hasPlan = (databases.find(({ name }) => name === 'np')?.revision ?? 0) > 1;
  const steps: readonly Step[] = [
    ...(folder === null || folder === undefined
      ? []
      : [
          {
            title: 'Put the commands on your PATH',
            text: 'In this terminal; in the file that your shell starts with, for all of them.',
            command: `export PATH="${folder}:$PATH"`,
            isDone: hasPlan,
          },
        ]),
    {
      title: 'Tell your agent about plans',
      text: 'In a project directory; codex, copilot, cursor and gemini too. It keeps a plan, and you watch it here.',
      command: 'np setup claude',
      isDone: hasPlan,
    },
    {
      title: 'Let a program in',
      text: 'A token for scripts and agents. It is shown once; Account lists and revokes them.',
      command: 'holdfast token create --name my-agent',
      isDone: (tokens ?? []).length > 0,
    },
    {
      title: 'Make a backup',
      text: 'Here under System, or from a terminal. Every commit can be restored from then on.',
      command: 'holdfast backup accounts',
      isDone: (backups ?? []).length > 0,
    },
  ];
  // Avoids showing a card that disappears at once.
  if (folder === undefined || tokens === undefined || backups === undefined) return null;
  if (steps.every(({ isDone }) => isDone)) return null;
  return (
    <Card title="Next steps" description="Each is one command in a terminal.">
      <ol className={`grid gap-5 ${steps.length === 3 ? 'lg:grid-cols-3' : 'md:grid-cols-2'}`}>
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
