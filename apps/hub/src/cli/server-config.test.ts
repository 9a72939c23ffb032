import { readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

import { guidePath } from '../../test/nginx.ts';
import { hubCommands } from './commands.ts';
import { KEYS } from './server-config.ts';

it('every key has an option and an environment variable, and the guide names them', () => {
  const { options = {} } = hubCommands.find(({ name }) => name === 'serve') ?? {};
  const [, table = ''] = /^## Settings\n.*?\n(\|.*?)\n\n/msu.exec(readFileSync(guidePath, 'utf8')) ?? [];
  const rows = table
    .split('\n')
    .slice(2)
    .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')))
    .map(([, key = '', option = '', variable = '']) => ({ key, option, variable }));
  expect(rows.map(({ key }) => key).toSorted()).toEqual(KEYS.toSorted());
  // These keys have no option: their values may contain a password, and every user of the machine can see a process's
  // options.
  expect(rows.filter(({ option }) => option === 'none').map(({ key }) => key)).toEqual(['store', 'inbox_webhook']);
  const inGuide = rows
    .filter(({ option }) => option !== 'none')
    .map(({ option, variable }) => {
      const name = option.slice(2).replaceAll(/-(\w)/gu, (_, letter: string) => letter.toUpperCase());
      return `${name} ${variable}`;
    });
  // The option for notebook roots names no variable: Notebooks reads the variable itself, because its paths are
  // separated with colons.
  const inCommand = Object.entries(options)
    .filter(([name]) => name !== 'config')
    .map(([name, { env = 'HOLDFAST_CODEX_ROOTS' }]) => `${name} ${env}`);
  expect(inGuide.toSorted()).toEqual(inCommand.toSorted());
});
