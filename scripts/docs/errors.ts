import { accountErrors } from '@holdfast/accounts';
import { audiobookErrors } from '@holdfast/audiobooks';
import { type ErrorFactory, type ErrorKind, exitCodeByKind, homeErrors, schemaErrors } from '@holdfast/base';
import { commandLineErrors } from '@holdfast/cli';
import { operationErrors } from '@holdfast/operation';
import { codexErrors } from '@holdfast/codex';
import { gitErrors } from '@holdfast/git';
import { httpErrors } from '@holdfast/http';
import { keyspaceErrors } from '@holdfast/keyspace';
import { npErrors } from '@holdfast/np';
import { ringmasterErrors } from '@holdfast/ringmaster';
import { moveErrors, postgresErrors } from '@holdfast/postgres';
import { storeErrors } from '@holdfast/sqlite';
import { utaskErrors } from '@holdfast/utask';

/** Error tables in page order. */
const tables: readonly (readonly [title: string, table: Readonly<Record<string, ErrorFactory>>])[] = [
  ['The command line', commandLineErrors],
  ['Operations', operationErrors],
  ['The database', storeErrors],
  ['Schemas and migrations', schemaErrors],
  ['The keyspace', keyspaceErrors],
  ['PostgreSQL', postgresErrors],
  ['Moving a database', { ...moveErrors, ...homeErrors }],
  ['Git', gitErrors],
  ['The server', httpErrors],
  ['Accounts', accountErrors],
  ['np', npErrors],
  ['utask', utaskErrors],
  ['codex', codexErrors],
  ['audiobooks', audiobookErrors],
  ['ringmaster', ringmasterErrors],
];

export function errorsDocument(): string {
  refuseTwoMeanings();
  return `${introduction}\n${tables.map(([title, table]) => section(title, table)).join('\n')}`;
}

/** Returns the error tables as JSON for the server's error page, which cannot import every application. */
export function errorsJson(): string {
  return JSON.stringify(
    tables.map(([title, table]) => ({
      title,
      errors: sorted(table).map(({ code, definition }) => ({ code, ...definition })),
    })),
  );
}

/** Commands and the server may both define INTERNAL, but every code must have the same kind everywhere. */
function refuseTwoMeanings(): void {
  const kinds = new Map<string, ErrorKind>();
  for (const [, table] of tables) {
    for (const { code, definition } of Object.values(table)) {
      if ((kinds.get(code) ?? definition.kind) !== definition.kind) throw new Error(`${code} has two meanings`);
      kinds.set(code, definition.kind);
    }
  }
}

const introduction = `# Errors

<!-- Written by \`npm run docs\` from the error tables in the code. -->

Every error has a code that keeps its meaning; messages may change. Commands print it as
\`error: message [CODE]\` and \`hint: …\` on standard error, or with \`--json\` as
\`{"schema_version":1,"error":{"code","message","hint"}}\`. The exit code follows from the kind of error:

| exit | kind | meaning |
| --- | --- | --- |
| 0 | | the command succeeded |
| 1 | failed | the command failed |
| 2 | usage | the command or request is not valid |
| 3 | not found | the named object does not exist |
| 4 | conflict | the object already exists, is ambiguous, or was changed by someone else first |
| 5 | unavailable | something the command needs is not available right now |
`;

function section(title: string, table: Readonly<Record<string, ErrorFactory>>): string {
  const rows = sorted(table).map(({ code, definition }) => {
    const { kind, means, hint } = definition;
    return `### ${code}\n\n${means} *Exit ${exitCodeByKind[kind]}.*\n\n${hint}\n`;
  });
  return `## ${title}\n\n${rows.join('\n')}`;
}

function sorted(table: Readonly<Record<string, ErrorFactory>>): readonly ErrorFactory[] {
  return Object.values(table).toSorted((left, right) => (left.code < right.code ? -1 : 1));
}
