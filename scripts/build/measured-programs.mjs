/** Sources of the measured programs, which exist only while measuring. */

const cli = `import { defineCommand, defineProgram, main } from '@holdfast/cli';`;
const options = `{ title: { type: 'string', summary: 'Title', short: 't' }, all: { type: 'boolean', summary: 'All' } }`;

/** Source by name. `database` is the file that some of them read. */
export function measuredPrograms(database) {
  return { ...parserPrograms, ...databasePrograms(database), ...keyspacePrograms(`${database}.keyspace`) };
}

const parserPrograms = {
  empty: '',
  'parse-args': `
    import { writeSync } from 'node:fs';
    import { parseArgs } from 'node:util';
    const options = { title: { type: 'string', short: 't' }, all: { type: 'boolean' } } as const;
    const { values } = parseArgs({ args: process.argv.slice(2), options, allowPositionals: true, tokens: true });
    writeSync(1, JSON.stringify(values));`,
  commander: `
    import { writeSync } from 'node:fs';
    import { Command } from 'commander';
    const program = new Command('x').option('--json');
    const task = program.command('task');
    for (const name of ['add', 'show', 'edit', 'remove', 'close']) {
      task.command(name).option('-t, --title <title>').option('--all')
        .action((values) => { writeSync(1, JSON.stringify(values)); });
    }
    program.parse();`,
  conduct: `
    ${cli}
    const command = (name: string) => defineCommand({ name, summary: name, options: ${options}, load: () => import('./action.ts') });
    const task = defineCommand({ name: 'task', summary: 'Tasks', commands: ['add', 'show', 'edit', 'remove', 'close'].map(command) });
    void main(defineProgram({ name: 'x', version: '1', summary: 'x', commands: [task] }));`,
  action: `export function run({ options, out }) { out.result(options, (page) => page.line(JSON.stringify(options))); }`,
};

function databasePrograms(database) {
  const readOneRow = `
    const database = new DatabaseSync(${JSON.stringify(database)});
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    database.exec('CREATE TABLE IF NOT EXISTS row (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID');
    const row = database.prepare('SELECT value FROM row WHERE key = ?').get('a');
    database.close();`;
  return {
    database: `import { DatabaseSync } from '@photostructure/sqlite'; import { writeSync } from 'node:fs';
      ${readOneRow} writeSync(1, String(row));`,
    'whole-command': `
      ${cli}
      const show = defineCommand({ name: 'show', summary: 'Show', arguments: [{ name: 'id', summary: 'Its id' }],
        options: ${options}, load: () => import('./read.ts') });
      const task = defineCommand({ name: 'task', summary: 'Tasks', commands: [show] });
      void main(defineProgram({ name: 'x', version: '1', summary: 'x', commands: [task] }));`,
    read: `import { DatabaseSync } from '@photostructure/sqlite';
      export function run({ args, out }) { ${readOneRow} out.result({ row, args }, (page) => page.line(args.id)); }`,
  };
}

function keyspacePrograms(path) {
  return {
    keyspace: `
      ${cli}
      const argument = [{ name: 'id', summary: 'Its id' }] as const;
      const get = defineCommand({ name: 'get', summary: 'Get', arguments: argument, load: () => import('./get.ts') });
      const put = defineCommand({ name: 'put', summary: 'Put', arguments: argument, load: () => import('./put.ts') });
      void main(defineProgram({ name: 'x', version: '1', summary: 'x', commands: [get, put] }));`,
    tasks: `
      import { openKeyspace, record, sqliteEngine } from '@holdfast/keyspace';
      import * as z from 'zod';
      const Task = z.object({ id: z.string(), title: z.string() });
      export const tasks = record('s/{sid}/task/{id}', Task, { indexes: { title: 's/{sid}/idx/title/{title}/{id}' } });
      export async function open() {
        return openKeyspace({ engine: await sqliteEngine({ path: ${JSON.stringify(path)} }), schema: { tasks } });
      }`,
    get: `
      import { open, tasks } from './tasks.ts';
      export async function run({ args, out }) {
        const db = await open();
        const task = await db.get(tasks, { sid: 'a', id: args.id });
        await db.close({ processIsEnding: true });
        out.result(task, (page) => page.line(JSON.stringify(task ?? null)));
      }`,
    put: `
      import { open, tasks } from './tasks.ts';
      export async function run({ args, out }) {
        const db = await open();
        await db.transact((tx) => tx.put(tasks, { sid: 'a', id: args.id }, { id: args.id, title: String(process.pid) }));
        await db.close({ processIsEnding: true });
        out.result(args, (page) => page.line('stored'));
      }`,
  };
}
