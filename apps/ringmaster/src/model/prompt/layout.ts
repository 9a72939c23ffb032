import type { Chosen, SourceName } from './choose.ts';

interface Section {
  readonly title: string;
  readonly sources: readonly SourceName[];
}

/** The design document's sections in its order, and "Results of Dependencies", which ringmaster adds. */
const middle: readonly Section[] = [
  { title: 'Project Context', sources: ['project', 'context'] },
  { title: 'Recent History', sources: ['summaries', 'chat'] },
  { title: 'Results of Dependencies', sources: ['results'] },
  { title: 'Relevant Code', sources: ['code'] },
];

const INSTRUCTIONS = `Work in the current directory until the task is done, then print one of these lines, at the beginning of a line:

- \`✓ Task complete\`
- \`✗ Task failed: WHY\` when it cannot be done
- \`? Need clarification: QUESTION\` when a person has to decide; your work so far is kept`;

export interface PromptParts {
  readonly id: string;
  readonly title: string;
  readonly chosen: readonly Chosen[];
}

export function layOut({ id, title, chosen }: PromptParts): string {
  const of = (source: SourceName, name?: string): string[] =>
    chosen
      .filter((one) => one.source === source && (name === undefined || one.name === name))
      .sort((one, other) => one.position - other.position)
      .map(({ text }) => text);
  const sections: (readonly [string, readonly string[]])[] = [
    ['Objective', [title]],
    ...middle.map((section) => [section.title, section.sources.flatMap((source) => of(source))] as const),
    ['Requirements', of('task', 'description')],
    ['Acceptance Criteria', of('task', 'acceptance')],
    ['Decisions', of('decisions')],
    ['What failed last time', of('failure')],
    ['Instructions', [INSTRUCTIONS]],
  ];
  const texts = sections
    .filter(([, parts]) => parts.some((part) => part.trim() !== ''))
    .map(([heading, parts]) => `## ${heading}\n${parts.map((part) => part.trim()).join('\n\n')}\n`);
  return [`# Task: ${id}\n`, ...texts].join('\n');
}

/** The fixed parts of every prompt. */
export function frameOf(id: string, title: string): string {
  const headings = [...middle.map((section) => section.title), 'Requirements', 'Acceptance Criteria', 'Decisions'];
  return `${layOut({ id, title, chosen: [] })}${headings.map((heading) => `## ${heading}\n\n`).join('')}## What failed last time\n\n`;
}

/** A code block whose fence is longer than any fence in the text. */
export function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n+$/, '')}\n${fence}`;
}
