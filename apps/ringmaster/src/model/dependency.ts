/** Link types that block the dependent task. Other types are stored but block nothing. */
const gatingTypes = ['blocks', 'conditional-blocks', 'waits-for', 'parent-child'] as const;

const gating: ReadonlySet<string> = new Set(gatingTypes);

export function isGating(type: string): boolean {
  return gating.has(type);
}

/** The same types as an SQL list. */
export const gatingList: string = gatingTypes.map((type) => `'${type}'`).join(', ');

export interface Dependency {
  readonly child_id: string;
  readonly parent_id: string;
  readonly type: string;
  /** For `waits-for`: whether all children must be done, or any of them. */
  readonly gate?: Gate | undefined;
}

export const gates = ['all-children', 'any-children'] as const;
export type Gate = (typeof gates)[number];
