import { existsSync } from 'node:fs';

import type { CommandContext, ExitCode } from '@holdfast/cli';
import { style } from '@holdfast/cli';
import {
  type DatabaseName,
  openStoreAt,
  type Store,
  type StoreLocation,
  type StoreProblem,
} from '@holdfast/hub/databases';
import { type Engine, Keyspace, type Problem, type Schema } from '@holdfast/keyspace';
import { verifyBackup } from '@holdfast/sqlite';

import { databaseAt } from '../databases.ts';

interface Input {
  readonly args: { readonly db: string };
  readonly options: { readonly repair: boolean };
}

export async function run(context: CommandContext<Input>): Promise<ExitCode> {
  const { args, env, out } = context;
  const location = databaseAt(args.db, env);
  // Never opens a backup for writing: its manifest holds a checksum of the whole file.
  if (location.address === undefined && existsSync(`${location.path}.json`)) {
    const manifest = await verifyBackup(location.path);
    out.result({ backup: manifest, problems: [] }, (page) =>
      page.line(
        style.green('✓'),
        ` ${location.path} is a valid backup of ${manifest.database} at revision ${manifest.revision}`,
      ),
    );
    return 0;
  }
  const database = await openStoreAt(location);
  try {
    return await verifyOpen(context, location, database);
  } finally {
    await database.close({ processIsEnding: true });
  }
}

async function verifyOpen(
  { options, out, progress }: CommandContext<Input>,
  location: StoreLocation,
  database: Store,
): Promise<ExitCode> {
  using bar = progress('Checking');
  const below = await database.problems(options.repair);
  const { engine } = database;
  const schema = engine === undefined ? undefined : await loadSchema(location.name);
  const indexes =
    engine === undefined || schema === undefined ? [] : await checkIndexes(engine, schema, options.repair);
  bar.finish();
  const problems: readonly StoreProblem[] = [...below, ...indexes];
  const left = problems.filter(({ repaired }) => !repaired);
  const data = {
    path: database.place,
    kind: database.kind,
    revision: await database.revision(),
    schema_checked: schema !== undefined,
    problems,
  };
  out.result(data, (page) => {
    for (const { kind, key, detail, repaired } of problems) {
      page.line(repaired ? style.yellow('repaired') : style.red('problem'), `  ${kind}  ${key}  ${detail}`);
    }
    if (left.length === 0) page.line(style.green('✓'), ` ${database.place} is sound at revision ${data.revision}`);
    else page.line(style.red('✗'), ` ${database.place} has ${left.length} problem${left.length === 1 ? '' : 's'}`);
  });
  return left.length === 0 ? 0 : 1;
}

export async function checkIndexes(engine: Engine, schema: Schema, repairs: boolean): Promise<readonly Problem[]> {
  const keyspace = new Keyspace(engine, schema);
  const report = repairs ? await keyspace.repair() : await keyspace.verify();
  return report.problems;
}

/** Schemas used to verify the indexes of a named keyspace. */
const schemas: Partial<Record<DatabaseName, () => Promise<Schema>>> = {
  audiobooks: async () => (await import('@holdfast/audiobooks')).schema,
  np: async () => (await import('@holdfast/np')).schema,
  utask: async () => (await import('@holdfast/utask')).schema,
  accounts: async () => (await import('@holdfast/accounts')).accountsSchema,
};

export function loadSchema(name: DatabaseName | undefined): Promise<Schema> | undefined {
  return name === undefined ? undefined : schemas[name]?.();
}
