import { ringmasterErrors } from './errors.ts';

const TITLE_CHARACTERS_MAX = 500;

/** Beads refuses longer titles, so a task with one could never be given away. */
export function checkTitle(title: string): string {
  const trimmed = title.trim();
  if (trimmed === '') throw ringmasterErrors.TEXT_INVALID('A title may not be empty');
  if (Array.from(trimmed).length > TITLE_CHARACTERS_MAX) {
    throw ringmasterErrors.TEXT_INVALID(`A title has at most ${TITLE_CHARACTERS_MAX} characters`);
  }
  return trimmed;
}
