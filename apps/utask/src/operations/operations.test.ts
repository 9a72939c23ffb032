import type { CommandSpec } from '@holdfast/cli';
import type { AnyOperation } from '@holdfast/operation';
import { expect, it } from 'vitest';
import { program } from '../cli/program.ts';
import { ChangeFeed } from '../http/change-feed.ts';
import { routes } from '../http/index.ts';
import { tools } from '../mcp/tools.ts';
import * as exported from './tasks.ts';

const { taskObject: _, ...definitions } = exported;
const operations: readonly AnyOperation[] = Object.values(definitions);

function commandsOf({ commands = [] }: CommandSpec): readonly CommandSpec[] {
  return commands.flatMap((each) => [each, ...commandsOf(each)]);
}

it('every operation is a command, a route and a tool, or says why not', () => {
  const unopened = (): never => {
    throw new Error('not opened');
  };
  const bound = {
    cli: commandsOf(program),
    http: routes(unopened, new ChangeFeed(unopened)),
    mcp: tools({} as Parameters<typeof tools>[0], { name: 'agent' }),
  };
  const wrong = operations.flatMap((operation) =>
    (['cli', 'http', 'mcp'] as const)
      .filter((face) => {
        const isBound = bound[face].some((each) => each.operation === operation);
        return isBound === (operation.absent?.[face] !== undefined);
      })
      .map((face) => `${face}: ${operation.name}`),
  );
  expect(wrong).toEqual([]);
  expect(operations.length).toBeGreaterThan(10);
});
