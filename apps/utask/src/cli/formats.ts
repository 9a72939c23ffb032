import type { Format } from '../model/formats/format.ts';

export type FormatName = 'json' | 'taskwarrior' | 'todotxt';

export async function loadFormat(name: FormatName): Promise<Format> {
  if (name === 'json') return (await import('../model/formats/json.ts')).jsonFormat;
  if (name === 'taskwarrior') return (await import('../model/formats/taskwarrior.ts')).taskwarriorFormat;
  return (await import('../model/formats/todotxt.ts')).todotxtFormat;
}

/** What a file is when nobody says: by its content, since all of them may be called anything. */
export function guessFormat(text: string): FormatName {
  const beginning = text.trimStart();
  if (!beginning.startsWith('[') && !beginning.startsWith('{')) return 'todotxt';
  // Our ids come first: a task that was brought here from Taskwarrior keeps what it had there, `entry` and all.
  return /"entry"\s*:/.test(text) && !/"id"\s*:\s*"[0-9a-f]{128}"/.test(text) ? 'taskwarrior' : 'json';
}
