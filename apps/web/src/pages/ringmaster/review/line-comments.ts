import { createStore } from '../../../lib/store.ts';

/** Comments that were not sent yet, by task and then by line. They stay when the user opens another page. */
export type LineComments = ReadonlyMap<string, string>;

const none: LineComments = new Map();

export const unsentComments = createStore<ReadonlyMap<string, LineComments>>(new Map());

export function commentsOf(all: ReadonlyMap<string, LineComments>, task: string): LineComments {
  return all.get(task) ?? none;
}

/** Sets the comment on a line; an undefined text removes it. */
export function setComment(task: string, line: string, text: string | undefined): void {
  const comments = new Map(commentsOf(unsentComments.get(), task));
  if (text === undefined) comments.delete(line);
  else comments.set(line, text);
  unsentComments.set(new Map(unsentComments.get()).set(task, comments));
}

export function forgetComments(task: string): void {
  const all = new Map(unsentComments.get());
  all.delete(task);
  unsentComments.set(all);
}

/** Returns the comments in the form that the server expects; leaves out empty ones. */
export function commentTexts(comments: LineComments): string[] {
  return [...comments].filter(([, text]) => text.trim() !== '').map(([line, text]) => `${line}: ${text.trim()}`);
}
