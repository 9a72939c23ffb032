import type { GivenOption } from '../spec/context.ts';

/**
 * Groups repeated options: `-t A -d one -t B` is `[{ title: 'A', description: 'one' }, { title: 'B' }]`.
 *
 * A new group starts at an option that the current group already has, so the order within a group is free. Options that
 * are not listed are ignored. `Thing` gives the types of the values, as the option specs define them.
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
