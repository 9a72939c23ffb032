/** Which links hold work back. Any other type is kept as it is and holds nothing back. */
const gatingTypes = ['blocks', 'conditional-blocks', 'waits-for', 'parent-child'] as const;

const gating: ReadonlySet<string> = new Set(gatingTypes);

export function isGating(type: string): boolean {
  return gating.has(type);
}

/** A list for SQL. */
export const gatingList: string = gatingTypes.map((type) => `'${type}'`).join(', ');

export interface Dependency {
  readonly child_id: string;
  readonly parent_id: string;
  readonly type: string;
  /** For `waits-for`: whether all children of what is waited for have to be done, or one. */
  readonly gate?: Gate | undefined;
}

export const gates = ['all-children', 'any-children'] as const;
export type Gate = (typeof gates)[number];
