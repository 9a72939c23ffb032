/** What several commands have in common. */
export const page = {
  limit: { type: 'integer', short: 'n', summary: 'How many at most', default: 50, min: 1, max: 10_000 },
  cursor: { type: 'string', summary: 'Where the page before ended' },
} as const;

export const bookArgument = {
  name: 'book',
  summary: 'Id or title of a book',
  complete: () => import('../complete-book.ts'),
} as const;

export const booksArgument = {
  name: 'books',
  summary: 'Ids or titles of books',
  optional: true,
  variadic: true,
  complete: () => import('../complete-book.ts'),
} as const;

export const libraryOption = {
  library: { type: 'string', summary: 'Which library, by its folder or id; needed only where there are several' },
} as const;

export const user = { user: { type: 'string', summary: 'Whose, by the id of the user', value: 'id' } } as const;
