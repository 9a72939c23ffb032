/** Where the files of one turn of a task lie, below the files path: the seed's three digits, more when they are needed. */
export function iterationPath(task: string, number: number, kind: 'log' | 'prompt.md' | 'context.json'): string {
  return `tasks/${task}/iterations/${String(number).padStart(3, '0')}.${kind}`;
}
