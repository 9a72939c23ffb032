import type { GivenOption } from '../spec/context.ts';

type Value = GivenOption['value'];

/**
 * Groups repeated options: `-t A -d one -t B` is `[{ title: 'A', description: 'one' }, { title: 'B' }]`.
 *
 * A new group starts at an option that the current group already has, so the order within a group is free. Options in
 * `repeated` may occur several times in a group and become a list. Other options are ignored.
 */
export function optionBatches<Thing extends Readonly<Record<string, Value | readonly Value[]>>>(
  given: readonly GivenOption[],
  names: readonly (keyof Thing & string)[],
  repeated: readonly (keyof Thing & string)[] = [],
): readonly Readonly<Partial<Thing>>[] {
  const batches: Record<string, Value | readonly Value[]>[] = [];
  for (const { name, value } of given) {
    const isRepeated = repeated.includes(name);
    if (!isRepeated && !names.includes(name)) continue;
    let current = batches.at(-1);
    if (current === undefined || (!isRepeated && name in current)) batches.push((current = {}));
    current[name] = isRepeated ? [...((current[name] as readonly Value[] | undefined) ?? []), value] : value;
  }
  return batches as Partial<Thing>[];
}
