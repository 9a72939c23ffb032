import { choice, integer, json, list, object, optional, text, withDefault } from '@holdfast/operation';
import { audiobookErrors } from '../model/errors.ts';
import { defineOperation, libraryField, WRITE } from './fields.ts';

export const correctionInput = {
  pattern: text('Pattern, such as {author}/{series} {sequence} - {title}', { min: 1, max: 500, label: 'pattern' }),
  from: withDefault(
    choice(['folder', 'title'], 'What the pattern describes: the folder names or the title of a book'),
    'folder',
  ),
  library: optional(libraryField),
  under: optional(text('Only books in this library folder', { max: 4_096, label: 'folder' })),
} as const;

const errors = [audiobookErrors.PATTERN_INVALID, audiobookErrors.LIBRARY_NOT_FOUND, audiobookErrors.RIGHTS_MISSING];
const absent = { mcp: 'Changes many books at once; reserved for people' } as const;

export const previewCorrections = defineOperation({
  name: 'corrections.preview',
  summary: 'Show which fields of which books a pattern would change',
  description:
    'The fields are {author}, {title}, {subtitle}, {series}, {sequence}, {year} and {narrator}; {skip} stands for any ' +
    'other text. A pattern with slashes describes several folders.',
  permission: WRITE,
  input: correctionInput,
  output: object({
    books: list(
      object({
        id: text(),
        title: text(),
        name: text('Folder or title that the pattern matched'),
        changes: list(object({ field: text(), before: json(), after: json() })),
      }),
    ),
    unchanged: integer('Books that match, but already have these values'),
    unmatched: integer('Books that do not match'),
  }),
  errors,
  absent,
  run: async () => (await import('../service/handlers/corrections.ts')).previewCorrections,
});

export const runCorrections = defineOperation({
  name: 'corrections.run',
  summary: 'Set fields of many books by matching their folder names or titles with a pattern; can be undone',
  permission: WRITE,
  input: correctionInput,
  output: object({ books: integer('Number of changed books'), operation_id: text('For undo') }),
  errors,
  absent,
  run: async () => (await import('../service/handlers/corrections.ts')).runCorrections,
});
