import { spawnSync } from 'node:child_process';

import { expect, it } from 'vitest';

import { withBuiltins } from '../program/builtin.ts';
import { defineCommand, defineProgram } from '../spec/command.ts';
import { manPage } from './man.ts';

const page = manPage(
  withBuiltins(
    defineProgram({
      name: 'tool',
      version: '1.2.3',
      summary: 'Keep "things" – safely',
      description: ".hidden files count.\n\n'Quoted' text, and C:\\path.",
      commands: [
        defineCommand({
          name: 'add',
          summary: 'Add a thing',
          arguments: [{ name: 'title', summary: 'Its title' }],
          options: { dueDate: { type: 'string', summary: 'When it is due', short: 'd' } },
          examples: [{ command: 'tool add \'a b\' -d "2026-01-01"', summary: 'Add one' }],
        }),
        { name: 'secret', summary: 'Not shown', hidden: true },
      ],
    }),
  ),
);

function rendered(): { readonly text: string; readonly warnings: string } {
  const { stdout, stderr, error } = spawnSync('groff', ['-man', '-Tutf8', '-ww', '-P-cbou'], { input: page });
  if (error !== undefined) throw error;
  return { text: stdout.toString(), warnings: stderr.toString() };
}

it('a man page renders without warnings and shows every visible command', () => {
  const { text, warnings } = rendered();
  expect(warnings).toBe('');
  expect(text).toContain('tool - Keep "things" – safely');
  expect(text).toContain('.hidden files count.');
  expect(text).toContain("'Quoted' text, and C:\\path.");
  expect(text).toMatch(/-d, --due-date <due-date>\s+When it is due/u);
  expect(text).toContain('tool add \'a b\' -d "2026-01-01"');
  expect(text).not.toContain('secret');
});

it('describes options of every command only once', () => {
  expect(rendered().text.match(/--no-color/gu)).toHaveLength(1);
});
