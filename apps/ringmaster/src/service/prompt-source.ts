import { fileExists, inside, readText, sha256 } from '../adapters/files.ts';
import { iterationsOf } from '../store/iterations.ts';
import { existingTask } from '../store/tasks.ts';
import { listInquiries } from './inquire.ts';
import type { Ringmaster } from './ringmaster.ts';

/** One piece of a prompt, and which bytes it was. */
export interface PromptPart {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface Prompt {
  readonly text: string;
  readonly sources: readonly PromptPart[];
  /** SHA-256 of exactly the text. */
  readonly hash: string;
}

/** Whoever assembles prompts: the supervisor asks once for every turn. */
export type PromptSource = (taskId: string) => Prompt | Promise<Prompt>;

const INSTRUCTIONS = `Work in the current directory until the task is done, then print one of these lines, at the beginning of a line:

- \`✓ Task complete\`
- \`✗ Task failed: WHY\` when it cannot be done
- \`? Need clarification: QUESTION\` when a person has to decide; your work so far is kept`;

/** Task, description, what a person answered, the last failure, and the project's own description. */
export function plainPrompts(rm: Ringmaster): PromptSource {
  return (taskId) => {
    const task = existingTask(rm.store.reader, taskId);
    const lastTurn = iterationsOf(rm.store.reader, taskId).findLast(({ failure }) => failure !== null);
    const answers = listInquiries(rm.store.reader, {})
      .filter(({ about_id, answer }) => about_id === taskId && answer !== null)
      .map(({ title, answer }) => `- ${title}\n  ${answer}`);
    const sections = [
      { name: 'objective', title: 'Objective', text: task.title },
      { name: 'project.md', title: 'Project Context', text: projectText(rm, task.project_id) },
      { name: 'description', title: 'Requirements', text: task.description ?? '' },
      { name: 'answers', title: 'Decisions', text: answers.join('\n') },
      { name: 'last_failure', title: 'What failed last time', text: lastTurn?.failure ?? task.last_failure ?? '' },
      { name: 'instructions', title: 'Instructions', text: INSTRUCTIONS },
    ].filter(({ text }) => text.trim() !== '');
    const parts = sections.map(({ title, text }) => `## ${title}\n${text.trim()}\n`);
    const text = [`# Task: ${taskId}\n`, ...parts].join('\n');
    return {
      text,
      sources: sections.map(({ name, text: content }) => ({ name, ...digest(content) })),
      hash: digest(text).sha256,
    };
  };
}

function digest(text: string): { readonly bytes: number; readonly sha256: string } {
  const bytes = Buffer.from(text);
  return { bytes: bytes.length, sha256: sha256(bytes) };
}

function projectText(rm: Ringmaster, project: string): string {
  const path = inside(rm.place.filesPath, 'projects', project, 'project.md');
  return fileExists(path) ? readText(path) : '';
}
