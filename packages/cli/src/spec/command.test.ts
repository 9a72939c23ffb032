/** Compile-time tests: an implementation must match its description. */
import { describe, expect, expectTypeOf, it } from 'vitest';
import { defineCommand } from './command.ts';
import type { CommandContext } from './context.ts';
import type { ArgumentValues, OptionValues } from './option.ts';

const summary = '';

describe('defineCommand', () => {
  it('accepts a module that needs what the description gives, or less', () => {
    const command = defineCommand({
      name: 'x',
      summary,
      arguments: [
        { name: 'id', summary },
        { name: 'more', summary, optional: true },
      ],
      options: {
        limit: { type: 'integer', summary, default: 10 },
        unused: { type: 'boolean', summary },
      },
      load: async () => ({ run: needsIdAndLimit }),
    });
    expect(command.name).toBe('x');
  });

  it('refuses a module that needs something else', () => {
    const limit = { type: 'integer', summary, required: true } as const;
    const load = async () => ({ run: needsIdAndLimit });
    const sound = { name: 'x', summary, arguments: [{ name: 'id', summary }], options: { limit } } as const;
    const commands = [
      defineCommand({ ...sound, load }),
      defineCommand({ ...sound, options: {}, inherits: { limit }, load }),
      // @ts-expect-error there is no such argument
      defineCommand({ ...sound, arguments: [], load }),
      // @ts-expect-error the argument may be missing
      defineCommand({ ...sound, arguments: [{ name: 'id', summary, optional: true }], load }),
      // @ts-expect-error the option is text
      defineCommand({ ...sound, options: { limit: { type: 'string', summary, required: true } }, load }),
      // @ts-expect-error the option may be missing
      defineCommand({ ...sound, options: { limit: { type: 'integer', summary } }, load }),
    ];
    expect(commands).toHaveLength(6);
  });
});

function needsIdAndLimit(_: CommandContext<{ args: { id: string }; options: { limit: number } }>): void {}

describe('values', () => {
  it('have the types of their options', () => {
    type Values = OptionValues<{
      readonly all: { readonly type: 'boolean'; readonly summary: '' };
      readonly title: { readonly type: 'string'; readonly summary: '' };
      readonly status: {
        readonly type: 'string';
        readonly summary: '';
        readonly choices: readonly ['a', 'b'];
        readonly default: 'a';
      };
      readonly sizes: { readonly type: 'number'; readonly summary: ''; readonly multiple: true };
    }>;
    expectTypeOf<Values>().toEqualTypeOf<{
      readonly all: boolean;
      readonly title: string | undefined;
      readonly status: 'a' | 'b';
      readonly sizes: readonly number[];
    }>();
  });

  it('have the types of their arguments', () => {
    type Values = ArgumentValues<
      readonly [
        { readonly name: 'count'; readonly summary: ''; readonly type: 'integer' },
        { readonly name: 'ids'; readonly summary: ''; readonly variadic: true },
      ]
    >;
    expectTypeOf<Values>().toEqualTypeOf<{ readonly count: number; readonly ids: readonly string[] }>();
  });
});
