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
            title: 'Add the commands to your PATH',
            text: 'For this terminal. Add it to the startup file of your shell to keep it.',
            command: `export PATH="${folder}:$PATH"`,
            isDone: hasPlan,
          },
        ]),
    {
      title: 'Connect your agent',
      text: 'Run it in a project directory, so that the agent keeps a plan that you can watch here. Also works with codex (OpenAI Codex), copilot, cursor and gemini.',
      command: 'np setup claude',
      isDone: hasPlan,
    },
    {
      title: 'Create a token',
      text: 'Lets scripts and agents use this server. The Account page lists and revokes tokens.',
      command: 'holdfast token create --name my-agent',
      isDone: (tokens ?? []).length > 0,
    },
    {
      title: 'Create a backup',
      text: 'Run it here, or use the System page.',
      command: 'holdfast backup accounts',
      isDone: (backups ?? []).length > 0,
    },
  ];
  // Avoids showing a card that disappears at once.
  if (folder === undefined || tokens === undefined || backups === undefined) return null;
  if (steps.every(({ isDone }) => isDone)) return null;
  return (
    <Card title="Next steps" description="One terminal command each.">
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
