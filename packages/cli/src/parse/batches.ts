import type { GivenOption } from '../spec/context.ts';

/**
 * Groups repeated options into things: `-t A -d one -t B` is `[{ title: 'A', description: 'one' }, { title: 'B' }]`.
 *
 * A new thing begins where an option comes that the current one already has, so the order within a thing is free.
 * Options that are not named are left out. The types of the values are those that the options have in their specs:
 * `optionBatches<{ title: string; description: string }>(given, ['title', 'description'])`.
 */
export function optionBatches<Thing extends Readonly<Record<string, GivenOption['value']>>>(
  given: readonly GivenOption[],
  names: readonly (keyof Thing & string)[],
): readonly Readonly<Partial<Thing>>[] {
  const batches: Record<string, GivenOption['value']>[] = [];
  for (const { name, value } of given) {
    if (!names.includes(name)) continue;
    const current = batches.at(-1);
    if (current === undefined || name in current) batches.push({ [name]: value });
    else current[name] = value;
  }
  return batches as Partial<Thing>[];
}
