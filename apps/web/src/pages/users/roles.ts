export const roles = [
  { value: 'admin', label: 'Administrator: full access' },
  { value: 'user', label: 'User: can use all applications' },
  { value: 'viewer', label: 'Viewer: read-only access to all applications' },
] as const;

export type Role = (typeof roles)[number]['value'];

/** Returns the strongest role. The dashboard assigns exactly one. */
export function roleOf(names: readonly string[]): Role {
  return roles.find(({ value }) => names.includes(value))?.value ?? 'viewer';
}
