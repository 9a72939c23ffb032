export const roles = [
  { value: 'admin', label: 'Administrator: may do everything' },
  { value: 'user', label: 'User: works with all applications' },
  { value: 'viewer', label: 'Viewer: looks at all applications' },
] as const;

export type Role = (typeof roles)[number]['value'];

/** The strongest role; the dashboard assigns exactly one. */
export function roleOf(names: readonly string[]): Role {
  return roles.find(({ value }) => names.includes(value))?.value ?? 'viewer';
}
