import { bareField, type Face, type Field } from '@holdfast/operation';
import { beforeAll, describe, expect, it } from 'vitest';

import { type Collected, collectOperations } from './collect.ts';

const faces: readonly Face[] = ['cli', 'http', 'mcp'];
let collected: Collected;
beforeAll(async () => {
  collected = await collectOperations();
});

describe('every operation', () => {
  it('is reachable by command, HTTP and MCP, or says why not', () => {
    const unreachable = collected.operations.flatMap(({ app, operation, bindings }) =>
      faces
        .filter((face) => bindings[face].length === 0 && (operation.absent?.[face] ?? '') === '')
        .map((face) => `${app} ${operation.name}: ${face}`),
    );
    expect(unreachable).toEqual([]);
  });

  it('gives no reason where it is reachable after all', () => {
    const needless = collected.operations.flatMap(({ app, operation, bindings }) =>
      faces
        .filter((face) => bindings[face].length > 0 && operation.absent?.[face] !== undefined)
        .map((face) => `${app} ${operation.name}: ${face}`),
    );
    expect(needless).toEqual([]);
  });

  it('has a name of its own', () => {
    const names = collected.operations.map(({ app, operation }) => `${app} ${operation.name}`);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('has fields in snake case, the same in --json, HTTP and MCP', () => {
    const odd = collected.operations.flatMap(({ app, operation }) =>
      [...fieldNames({ kind: 'object', fields: operation.input }), ...fieldNames(operation.output)]
        .filter((name) => !/^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/.test(name))
        .map((name) => `${app} ${operation.name}: ${name}`),
    );
    expect(odd).toEqual([]);
  });

  it('has a summary that starts with a verb and has no full stop', () => {
    const odd = collected.operations.filter(
      ({ operation: { summary } }) => !/^[A-Z][^.]*(?:\.\S[^.]*)*$/.test(summary),
    );
    expect(odd.map(({ operation: { summary } }) => summary)).toEqual([]);
  });
});

it('the list of operations is not empty', () => {
  expect(collected.operations.length).toBeGreaterThan(15);
});

function fieldNames(field: Field): readonly string[] {
  const bare = bareField(field);
  if (bare.kind === 'list' || bare.kind === 'record') return fieldNames(bare.of);
  if (bare.kind === 'union') return bare.of.flatMap(fieldNames);
  if (bare.kind !== 'object') return [];
  return Object.entries(bare.fields).flatMap(([name, inner]) => [name, ...fieldNames(inner)]);
}
