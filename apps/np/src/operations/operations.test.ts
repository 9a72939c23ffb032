import type { CommandSpec } from '@holdfast/cli';
import type { AnyOperation } from '@holdfast/operation';
import { expect, it } from 'vitest';
import { openHarness } from '../../test/harness.ts';
import { program } from '../cli/program.ts';
import { routes } from '../http/index.ts';
import { tools } from '../mcp/tools.ts';
import * as sessionOperations from './sessions.ts';
import * as taskOperations from './tasks.ts';

const operations: readonly AnyOperation[] = [...Object.values(sessionOperations), ...Object.values(taskOperations)];

function commandsOf({ commands = [] }: CommandSpec): readonly CommandSpec[] {
  return commands.flatMap((each) => [each, ...commandsOf(each)]);
}

it('every operation is a command, a route and a tool, or says why not', async () => {
  const { np, directory } = await openHarness();
  const target = { np, where: { directory }, directory };
  const bound = { cli: commandsOf(program), http: routes(np), mcp: tools(target, { name: '' }) };
  const missing = operations.flatMap((operation) =>
    (['cli', 'http', 'mcp'] as const)
      .filter(
        (face) => bound[face].some((each) => each.operation === operation) === (operation.absent?.[face] !== undefined),
      )
      .map((face) => `${face}: ${operation.name}`),
  );
  expect(missing).toEqual([]);
  expect(new Set(operations.map(({ name }) => name)).size).toBe(operations.length);
});

it('what a face lacks is this and nothing else', () => {
  const absent = operations.flatMap(({ name, absent: reasons = {} }) =>
    Object.keys(reasons).map((face) => `${name} ${face}`),
  );
  expect(absent).toEqual([
    'session.list mcp',
    'goal.show mcp',
    'plan.undo mcp',
    'log.all cli',
    'log.all mcp',
    'session.export mcp',
    'session.import http',
    'session.import mcp',
    'store.keys http',
    'store.keys mcp',
    'store.verify http',
    'store.verify mcp',
    'task.list mcp',
    'task.find mcp',
  ]);
});
