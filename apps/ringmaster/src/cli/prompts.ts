import { type Column, type Page, style } from '@holdfast/cli';
import type { OutputOf } from '@holdfast/operation';

import { assemblePrompt, recordedPrompt } from '../operations/tasks.ts';
import { command, completeTask } from './command.ts';

type Part = OutputOf<typeof recordedPrompt>['considered'][number];

const columns: readonly Column<Part>[] = [
  { heading: 'SOURCE', value: ({ source }) => source },
  { heading: 'USED', value: ({ verdict }) => verdict },
  { heading: 'TOKENS', value: ({ tokens }) => (tokens === 0 ? '' : String(tokens)), align: 'right' },
  { heading: 'SCORE', value: ({ score }) => score.toFixed(2), align: 'right' },
  { heading: 'WHAT', value: ({ name }) => name, flexible: true },
  { heading: 'WHY', value: ({ reason }) => reason },
];

interface Explained {
  readonly tokens: number | null;
  readonly budget_tokens: number | null;
  readonly sha256: string | null;
  readonly considered: readonly Part[];
}

function explain(page: Page, { tokens, budget_tokens: budget, sha256, considered }: Explained): void {
  page.table(considered, columns);
  if (tokens !== null) page.line(style.dim(`About ${tokens} of ${budget ?? '?'} tokens; SHA-256 ${sha256 ?? '?'}`));
}

const explainOption = {
  explain: { type: 'boolean', summary: 'List the parts that were considered for the prompt, not the prompt itself' },
} as const;

export const prompt = {
  ...command(assemblePrompt, {
    name: 'prompt',
    arguments: ['task'],
    flags: { budget_tokens: 'budget' },
    complete: { task: completeTask },
    options: explainOption,
    examples: [
      { command: 'ringmaster prompt bd-a3f8.1', summary: 'Show the prompt as it would be sent now' },
      { command: 'ringmaster prompt bd-a3f8.1 --explain', summary: 'Show why each part is included or left out' },
      { command: 'ringmaster prompt recorded bd-a3f8.1', summary: 'Show the prompt that the last worker got' },
    ],
    print: (assembled, page, { options }) => {
      if (options['explain'] === true) explain(page, assembled);
      else page.line(assembled.text.trimEnd());
    },
  }),
  commands: [
    command(recordedPrompt, {
      name: 'recorded',
      arguments: ['task'],
      complete: { task: completeTask },
      options: explainOption,
      print: (recorded, page, { options }) => {
        if (options['explain'] === true || recorded.text === '') explain(page, recorded);
        else page.line(recorded.text.trimEnd());
      },
    }),
  ],
};
