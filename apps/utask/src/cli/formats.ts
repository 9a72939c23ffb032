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
  return /"entry"\s*:/.test(text) && !text.startsWith('{"schema_version"') ? 'taskwarrior' : 'json';
}
