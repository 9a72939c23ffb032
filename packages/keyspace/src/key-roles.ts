import type { Template } from './keys/template.ts';
import type { CounterDefinition, Definition, EntryDefinition } from './schema/record-definitions.ts';
import type { IndexDefinition } from './schema/index-definition.ts';

export type KeyRole =
  | { readonly type: 'record'; readonly definition: EntryDefinition }
  | { readonly type: 'index'; readonly definition: EntryDefinition; readonly index: IndexDefinition }
  | { readonly type: 'counter'; readonly definition: CounterDefinition };

/**
 * Returns a function that finds the role of a key. If several templates match, the one with the most literal text wins.
 */
export function keyMatcher(schema: Readonly<Record<string, Definition>>): (key: string) => KeyRole | undefined {
  const roles: { readonly template: Template; readonly role: KeyRole }[] = [];
  for (const definition of Object.values(schema)) {
    if (definition.type === 'index') continue;
    if (definition.type === 'counter') {
      roles.push({ template: definition.template, role: { type: 'counter', definition } });
      continue;
    }
    roles.push({ template: definition.template, role: { type: 'record', definition } });
    for (const index of definition.indexes) {
      roles.push({ template: index.template, role: { type: 'index', definition, index } });
    }
    if (definition.type === 'log') {
      const { counter } = definition;
      roles.push({ template: counter.template, role: { type: 'counter', definition: counter } });
    }
  }
  roles.sort((left, right) => literalLength(right.template) - literalLength(left.template));
  return (key) => roles.find(({ template }) => template.matches(key))?.role;
}

function literalLength({ source }: Template): number {
  return source.replaceAll(/\{[^}]*\}/g, '').length;
}
