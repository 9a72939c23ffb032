import type { CommandContext } from '@holdfast/cli';
import { audiobookErrors } from '../model/errors.ts';
import { type SmartQuery, smartQueryShape } from '../model/smart-query.ts';

/** A question as it was written after an option or an argument, or as it comes from standard input. */
export async function givenQuery(given: string, stdin: CommandContext['stdin']): Promise<SmartQuery> {
  const parsed = smartQueryShape.safeParse(readJson(given === '-' ? await stdin.text() : given));
  if (parsed.success) return parsed.data;
  const [{ path, message } = { path: [], message: 'not understood' }] = parsed.error.issues;
  const place = path.length === 0 ? '' : ` at ${path.join('.')}`;
  throw audiobookErrors.QUERY_INVALID(`The question is not one that can be asked${place}: ${message}.`);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw audiobookErrors.QUERY_INVALID('The question is not written as JSON.', { cause: error });
  }
}
