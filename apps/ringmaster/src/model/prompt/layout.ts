import type { Chosen, SourceName } from './choose.ts';

interface Section {
  readonly title: string;
  readonly sources: readonly SourceName[];
}

/** The sections of a prompt between its objective and its requirements. */
const middle: readonly Section[] = [
  { title: 'Project Context', sources: ['project', 'context'] },
  { title: 'Recent History', sources: ['summaries', 'chat'] },
  { title: 'Results of Dependencies', sources: ['results'] },
  { title: 'Relevant Code', sources: ['code'] },
];

const INSTRUCTIONS = `Work in the current directory until the task is done, then print one of these lines, at the beginning of a line:

- \`✓ Task complete\`
- \`✓ No change needed: WHY\` when everything is already as the task asks; without this line, a person has to confirm that no change was needed
- \`✗ Task failed: WHY\` when it cannot be done
- \`? Need clarification: QUESTION\` when a person has to decide; your work so far is kept`;

/**
 * Instructions for an agent that claimed the task itself: no supervisor reads its output, so it has to report with
 * commands.
 */
const reporting = (
  id: string,
  token: number,
): string => `Work in the current directory until the task is done, then run one of these commands:

- \`ringmaster report ${id} --token ${token} -s completed\`
- \`ringmaster report ${id} --token ${token} -s failed -r WHY\` when it cannot be done
- \`ringmaster decide ${id} QUESTION -o A -o B --token ${token}\` when a person has to decide: ends your claim; the answer makes the task ready again`;

export interface PromptParts {
  readonly id: string;
  readonly title: string;
  /** Token of a claim by an agent without a supervisor. */
  readonly token?: number | undefined;
  readonly chosen: readonly Chosen[];
}

export function layOut({ id, title, token, chosen }: PromptParts): string {
  const texts = sectionTexts([
    ['Objective', [title]],
    ...sectionsOf(chosen),
    ['Instructions', [token === undefined ? INSTRUCTIONS : reporting(id, token)]],
  ]);
  return [`# Task: ${id}\n`, ...texts].join('\n');
}

/**
 * Returns the chosen parts of a prompt, without the fixed parts of every prompt. A machine that works for a server uses
 * this text as the description of the task.
 */
export function briefOf(chosen: readonly Chosen[]): string {
  const [requirements = '', ...texts] = sectionTexts(
    sectionsOf(chosen).toSorted(([left], [right]) => Number(right === REQUIREMENTS) - Number(left === REQUIREMENTS)),
  );
  return [requirements.replace(`## ${REQUIREMENTS}\n`, ''), ...texts].join('\n');
}

type SectionParts = readonly [string, readonly string[]];

const REQUIREMENTS = 'Requirements';

function sectionsOf(chosen: readonly Chosen[]): readonly SectionParts[] {
  const of = (source: SourceName, name?: string): string[] =>
    chosen
      .filter((one) => one.source === source && (name === undefined || one.name === name))
      .sort((one, other) => one.position - other.position)
      .map(({ text }) => text);
  return [
    ...middle.map((section) => [section.title, section.sources.flatMap((source) => of(source))] as const),
    [REQUIREMENTS, of('task', 'description')],
    ['Acceptance Criteria', of('task', 'acceptance')],
    ['Decisions', of('decisions')],
    ['What failed last time', of('failure')],
  ];
}

/** Returns the sections that have text. */
function sectionTexts(sections: readonly SectionParts[]): readonly string[] {
  return sections
    .filter(([, parts]) => parts.some((part) => part.trim() !== ''))
    .map(([heading, parts]) => `## ${heading}\n${parts.map((part) => part.trim()).join('\n\n')}\n`);
}

/** Returns the parts that every prompt has, whatever candidates are chosen. */
export function frameOf(parts: Omit<PromptParts, 'chosen'>): string {
  const headings = [...middle.map((section) => section.title), 'Requirements', 'Acceptance Criteria', 'Decisions'];
  return `${layOut({ ...parts, chosen: [] })}${headings.map((heading) => `## ${heading}\n\n`).join('')}## What failed last time\n\n`;
}

/** Returns a code block whose fence is longer than any fence in the text. */
export function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n+$/, '')}\n${fence}`;
}
