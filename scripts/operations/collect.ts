/**
 * All operations of all applications with their bindings. Commands, routes and tools are data, so collecting them runs
 * nothing.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { audiobooksApp } from '@holdfast/audiobooks/http';
import type { CommandSpec, ProgramSpec } from '@holdfast/cli';
import type { Tool } from '@holdfast/cli/mcp';
import { codexApp } from '@holdfast/codex/http';
import { programFor } from '@holdfast/command';
import type { App } from '@holdfast/http';
import { hubApps } from '@holdfast/hub';
import { npApp } from '@holdfast/np/http';
import type { AnyOperation, Face } from '@holdfast/operation';
import { ringmasterApp } from '@holdfast/ringmaster/http';
import { utaskApp } from '@holdfast/utask/http';

const root = resolve(import.meta.dirname, '../..');
const homes = {
  accounts: 'packages/accounts',
  hub: 'apps/hub',
  np: 'apps/np',
  utask: 'apps/utask',
  codex: 'apps/codex',
  audiobooks: 'apps/audiobooks',
  ringmaster: 'apps/ringmaster',
} as const;

export interface Binding {
  /** `np t a`, `POST /api/np/…` or the name of the tool. */
  readonly name: string;
  /** Input fields that this binding offers. */
  readonly fields: readonly string[];
}

export interface BoundOperation {
  readonly app: string;
  readonly operation: AnyOperation;
  readonly bindings: Readonly<Record<Face, readonly Binding[]>>;
}

export interface Collected {
  readonly operations: readonly BoundOperation[];
  /** Commands and routes without an operation: streams, files, terminal pages, sign-in. */
  readonly handWritten: Readonly<Record<'cli' | 'http', readonly string[]>>;
}

interface Entry extends Binding {
  readonly operation: AnyOperation | undefined;
}

export async function collectOperations(): Promise<Collected> {
  const entries = { cli: await commandEntries(), http: routeEntries(), mcp: await toolEntries() };
  const found = await definitions();
  const boundTo = (face: Face, operation: AnyOperation): readonly Binding[] =>
    entries[face].filter((entry) => entry.operation === operation);
  return {
    operations: found.map(({ app, operation }) => ({
      app,
      operation,
      bindings: { cli: boundTo('cli', operation), http: boundTo('http', operation), mcp: boundTo('mcp', operation) },
    })),
    handWritten: { cli: withoutOperation(entries.cli), http: withoutOperation(entries.http) },
  };
}

function withoutOperation(entries: readonly Entry[]): readonly string[] {
  return entries.filter(({ operation }) => operation === undefined).map(({ name }) => name);
}

/** Every exported operation, bound or not. */
async function definitions(): Promise<{ readonly app: string; readonly operation: AnyOperation }[]> {
  const found = new Map<AnyOperation, string>();
  for (const [app, home] of Object.entries(homes)) {
    const folder = join(root, home, 'src/operations');
    const files = existsSync(folder) ? readdirSync(folder).filter((name) => /(?<!\.test)\.ts$/.test(name)) : [];
    for (const file of files.toSorted()) {
      for (const value of Object.values(await load(join(folder, file)))) {
        if (isOperation(value) && !found.has(value)) found.set(value, app);
      }
    }
  }
  return [...found].map(([operation, app]) => ({ app, operation }));
}

function isOperation(value: unknown): value is AnyOperation {
  return typeof value === 'object' && value !== null && 'permission' in value && 'input' in value && 'run' in value;
}

async function commandEntries(): Promise<readonly Entry[]> {
  const programs = [await programFor(['help'])];
  for (const home of [homes.np, homes.utask, homes.ringmaster]) {
    const { program } = await load(join(root, home, 'src/cli/program.ts'));
    programs.push(program as ProgramSpec);
  }
  return programs.flatMap((program) => below(program, program.name));
}

function below(command: CommandSpec, name: string): readonly Entry[] {
  const { arguments: positional = [], options = {}, operation, load: run, commands = [], alternatives = [] } = command;
  const offered = new Set([...positional.map((each) => each.name), ...Object.keys(options)].map(snake));
  const isOffered = (field: string): boolean => offered.has(field) || offered.has(singular(field));
  const fields = operation === undefined ? [] : Object.keys(operation.input as object).filter(isOffered);
  const isNotOne = run === undefined || command.hidden === true || alternatives.length > 0;
  const own = isNotOne ? [] : [{ name, fields, operation }];
  return [
    ...own,
    ...alternatives.flatMap((each) => below(each, name)),
    ...commands.flatMap((each) => below(each, `${name} ${each.name}`)),
  ];
}

function routeEntries(): readonly Entry[] {
  const nothing = undefined as never;
  const hosted = [npApp, utaskApp, codexApp, ringmasterApp, audiobooksApp].map((app) => app(nothing));
  const own = hubApps({
    accounts: nothing,
    databases: nothing,
    activity: nothing,
    overviews: nothing,
    folders: nothing,
  });
  return [...own, ...hosted].flatMap((app: App) =>
    app.routes.map(({ method, path, operation, request = {} }) => ({
      name: `${method} ${app.basePath}${path}`,
      operation,
      fields: [request.params, request.query, request.body].flatMap((schema) =>
        schema !== undefined && 'shape' in schema ? Object.keys(schema.shape as object) : [],
      ),
    })),
  );
}

async function toolEntries(): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for (const [app, home] of Object.entries(homes)) {
    const path = join(root, home, 'src/mcp/tools.ts');
    if (!existsSync(path)) continue;
    const { tools } = (await load(path)) as { readonly tools: (...given: never[]) => readonly Tool[] };
    for (const { name, operation, inputSchema } of tools({} as never, { name: '' } as never)) {
      const fields = Object.keys(inputSchema['properties'] ?? {});
      entries.push({ name: `${app}: ${name}`, operation, fields });
    }
  }
  return entries;
}

function load(path: string): Promise<Readonly<Record<string, unknown>>> {
  return import(pathToFileURL(path).href) as Promise<Readonly<Record<string, unknown>>>;
}

/** Returns the singular of a field name, because a repeated flag may be singular. */
function singular(field: string): string {
  return field.replace(/ies$/, 'y').replace(/s$/, '');
}

function snake(name: string): string {
  return name.replaceAll('-', '_').replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
