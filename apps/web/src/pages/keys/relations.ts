import type { Commit, DatabaseName } from '../../api/types.ts';

/**
 * The record of a key, and its index keys. A record does not list its index keys. They are collected from recent
 * commits, so index keys from older commits may be missing.
 */
interface Relations {
  readonly record: string;
  readonly indexes: readonly string[];
}

export function relationsOf(
  name: DatabaseName,
  key: { readonly text: string; readonly value: string },
  commits: readonly Commit[],
): Relations {
  const record = recordOf(name, key.text, key.value) ?? key.text;
  const indexes = new Map<string, boolean>();
  // The newest commit comes first, so the first change of a key shows its current state.
  for (const { changes } of commits) {
    for (const { key: other, before, after } of changes) {
      if (other === record || indexes.has(other)) continue;
      if (recordOf(name, other, after ?? before ?? '') === record) indexes.set(other, after !== null);
    }
  }
  if (key.text !== record) indexes.set(key.text, true);
  return { record, indexes: [...indexes].filter(([, isThere]) => isThere).map(([each]) => each) };
}

/**
 * Maps index keys to their records. `{name}` is one part of the key, `{=}` is the stored value. Each application lists
 * its indexes here.
 */
const jumps: Readonly<Partial<Record<DatabaseName, readonly (readonly [from: string, to: string])[]>>> = {
  np: [
    ['dir/{dir}/active', 's/{=}/meta'],
    ['dir/{dir}/archived/{ts}/{sid}', 's/{sid}/meta'],
    ['idx/active/{sid}', 's/{sid}/meta'],
    ['idx/archived/{ts}/{sid}', 's/{sid}/meta'],
    ['idx/events/{ts}/{sid}/{seq}', 's/{sid}/evt/{seq}'],
    ['s/{sid}/idx/status/{status}/{id}', 's/{sid}/task/{id}'],
    ['s/{sid}/idx/task_order/{order}', 's/{sid}/task/{=}'],
  ],
  accounts: [
    ['idx:user:username:{name}', 'u:{=}'],
    ['idx:user:email:{email}', 'u:{=}'],
    ['idx:user:role:{role}:{id}', 'u:{id}'],
    ['idx:sess:user:{user}:{id}', 'sess:{id}'],
    ['idx:sess:exp:{at}:{id}', 'sess:{id}'],
    ['idx:tok:user:{user}:{id}', 'tok:{id}'],
    ['idx:tok:exp:{at}:{id}', 'tok:{id}'],
    ['idx:dev:user:{user}:{id}', 'dev:{id}'],
    ['ua:{id}', 'u:{id}'],
    ['pref:{id}:{key}', 'u:{id}'],
    ['meta:auth:owner', 'u:{=}'],
  ],
};

export function recordOf(name: DatabaseName, key: string, value: string): string | undefined {
  for (const [from, to] of jumps[name] ?? []) {
    const parts = partsOf(from, key);
    if (parts !== undefined) return to.replaceAll(/\{(\w+|=)\}/g, (_hole, part) => parts[part as string] ?? value);
  }
  return undefined;
}

function partsOf(template: string, key: string): Readonly<Record<string, string>> | undefined {
  const names: string[] = [];
  const source = template.replaceAll(/\{(\w+)\}/g, (_hole, name: string) => {
    names.push(name);
    return '([^/:]+)';
  });
  const match = new RegExp(`^${source}$`).exec(key);
  if (match === null) return undefined;
  return Object.fromEntries(names.map((name, at) => [name, match[at + 1] ?? '']));
}
