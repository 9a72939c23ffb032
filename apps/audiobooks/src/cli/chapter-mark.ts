import { audiobookErrors } from '../model/errors.ts';

/** Parses "1:02:30.5 Title". Hours and minutes are optional. */
export function parseMark(text: string): { readonly start_ms: number; readonly title: string } {
  const [, hours = '0', minutes = '0', seconds, title = ''] =
    /^\s*(?:(?:(\d{1,3}):)?(\d{1,3}):)?(\d{1,5}(?:\.\d{1,3})?)(?:\s+(.*))?$/u.exec(text) ?? [];
  if (seconds === undefined) {
    throw audiobookErrors.CHAPTERS_INVALID(`"${text}" is not a start time and a title, such as "12:30 Title".`);
  }
  const startMs = (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) * 1_000;
  return { start_ms: Math.round(startMs), title };
}
