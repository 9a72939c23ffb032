import { markdownOutline } from '@holdfast/base';

import { npErrors } from './errors.ts';
import type { TaskContent } from './ids.ts';

export interface ParsedPlan {
  readonly goal: TaskContent | undefined;
  readonly tasks: readonly (TaskContent & { readonly isDone: boolean })[];
}

interface Part {
  readonly title: string;
  readonly lines: string[];
}

function content({ title, lines }: Part): TaskContent {
  return { title, description: lines.join('\n').trim() };
}

/**
 * Reads a plan from Markdown. The first heading is the goal, and the text below it is the description of the goal. Each
 * list item with a checkbox is a task. The description of a task consists of the heading above it and its indented
 * lines.
 */
export function parsePlan(markdown: string): ParsedPlan {
  let goal: Part | undefined;
  let section: string | undefined;
  const items: (Part & { isDone: boolean })[] = [];
  for (const entry of markdownOutline(markdown)) {
    if (entry.kind === 'heading') {
      if (goal === undefined) goal = { title: entry.title, lines: [] };
      else section = entry.title;
    } else if (entry.kind === 'item') {
      items.push({ title: entry.title, lines: section === undefined ? [] : [section], isDone: entry.isDone });
    } else if (/^\s+\S/u.test(entry.text)) (items.at(-1) ?? goal)?.lines.push(entry.text.trim());
    else if (items.length === 0 && section === undefined) goal?.lines.push(entry.text);
  }
  if (items.length === 0) {
    const hint = 'Nothing was changed. Write each task as a Markdown item: - [ ] title';
    throw npErrors.IMPORT_INVALID('The plan has no tasks.', { hint });
  }
  return {
    goal: goal === undefined ? undefined : content(goal),
    tasks: items.map((item) => ({ ...content(item), isDone: item.isDone })),
  };
}
