import { existsSync } from 'node:fs';

import type { CommandContext, ExitCode } from '@holdfast/cli';
import { style } from '@holdfast/cli';
import type { DatabaseName, StoreLocation } from '@holdfast/hub/databases';
import { engineOn, Keyspace, type Problem, type Schema } from '@holdfast/keyspace';
import { type Database, findJournalProblems, openExisting, repairFromJournal, verifyBackup } from '@holdfast/sqlite';

import { databaseAt } from '../databases.ts';

interface Input {
  readonly args: { readonly db: string };
  readonly options: { readonly repair: boolean };
}

interface Finding {
  readonly kind: string;
  readonly key: string;
  readonly detail: string;
  readonly repaired: boolean;
}

export async function run(context: CommandContext<Input>): Promise<ExitCode> {
  const { args, env, out } = context;
  const location = databaseAt(args.db, env);
  // Never opens a backup for writing: its manifest holds a checksum of the whole file.
  if (existsSync(`${location.path}.json`)) {
    const manifest = await verifyBackup(location.path);
    out.result({ backup: manifest, problems: [] }, (page) =>
      page.line(
        style.green('✓'),
        ` ${location.path} is a valid backup of ${manifest.database} at revision ${manifest.revision}`,
      ),
    );
    return 0;
  }
  const database = await openExisting(location.path);
  try {
    return await verifyOpen(context, location, database);
  } finally {
    await database.close({ processIsEnding: true });
  }
}

async function verifyOpen(
  { options, out, progress }: CommandContext<Input>,
  location: StoreLocation,
  database: Database,
): Promise<ExitCode> {
  using bar = progress('Checking');
  const file = database.integrityProblems().map((detail) => finding('damaged_file', '', detail));
  const found = options.repair ? await repairFromJournal(database) : findJournalProblems(database);
  const journal = found.map((problem) => ({ kind: 'journal_differs', ...problem }));
  const schema = database.kind === 'keyspace' ? await loadSchema(location.name) : undefined;
  const indexes =
    schema === undefined ? [] : await checkIndexes(new Keyspace(engineOn(database), schema), options.repair);
  bar.finish();
  const problems: readonly Finding[] = [...file, ...journal, ...indexes];
  const left = problems.filter(({ repaired }) => !repaired);
  const data = {
    path: database.path,
    kind: database.kind,
    revision: database.revision(),
    schema_checked: schema !== undefined,
    problems,
  };
  out.result(data, (page) => {
    for (const { kind, key, detail, repaired } of problems) {
      page.line(repaired ? style.yellow('repaired') : style.red('problem'), `  ${kind}  ${key}  ${detail}`);
    }
    if (left.length === 0) page.line(style.green('✓'), ` ${database.path} is sound at revision ${data.revision}`);
    else page.line(style.red('✗'), ` ${database.path} has ${left.length} problem${left.length === 1 ? '' : 's'}`);
  });
  return left.length === 0 ? 0 : 1;
}

async function checkIndexes(keyspace: Keyspace, repairs: boolean): Promise<readonly Problem[]> {
  const report = repairs ? await keyspace.repair() : await keyspace.verify();
  return report.problems;
}

function finding(kind: string, key: string, detail: string): Finding {
  return { kind, key, detail, repaired: false };
}

/** Schemas with which the indexes of a named keyspace are verified. */
const schemas: Partial<Record<DatabaseName, () => Promise<Schema>>> = {
  audiobooks: async () => (await import('@holdfast/audiobooks')).schema,
  np: async () => (await import('@holdfast/np')).schema,
  accounts: async () => (await import('@holdfast/accounts')).accountsSchema,
};

function loadSchema(name: DatabaseName | undefined): Promise<Schema> | undefined {
  return name === undefined ? undefined : schemas[name]?.();
}
