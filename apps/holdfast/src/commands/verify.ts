import { existsSync } from 'node:fs';

import type { CommandContext, ExitCode } from '@holdfast/cli';
import { style } from '@holdfast/cli';
import { engineOn, Keyspace, type Problem } from '@holdfast/keyspace';
import { type Database, findJournalProblems, openExisting, verifyBackup } from '@holdfast/sqlite';

import { type DatabasePlace, databasePlace } from '../databases.ts';
import { loadSchema } from '../schemas.ts';

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
  const place = databasePlace(args.db, env);
  // A backup must not be opened for writing: its manifest describes every byte of it.
  if (existsSync(`${place.path}.json`)) {
    const manifest = await verifyBackup(place.path);
    out.result({ backup: manifest, problems: [] }, (page) =>
      page.line(
        style.green('✓'),
        ` ${place.path} is a sound backup of ${manifest.database} at revision ${manifest.revision}`,
      ),
    );
    return 0;
  }
  const database = await openExisting(place.path);
  try {
    return await verifyOpen(context, place, database);
  } finally {
    await database.close({ processIsEnding: true });
  }
}

async function verifyOpen(
  { options, out, progress }: CommandContext<Input>,
  place: DatabasePlace,
  database: Database,
): Promise<ExitCode> {
  using bar = progress('Checking');
  const file = database.integrityProblems().map((detail) => finding('damaged_file', '', detail));
  const journal = findJournalProblems(database).map(({ key, detail }) => finding('journal_differs', key, detail));
  const schema = database.kind === 'keyspace' ? await loadSchema(place.name) : undefined;
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
