import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { covers, isGrant, isPermission } from './permission.ts';

const areas = ['app:np', 'app:codex', 'users', 'account', 'system'];
const levels = ['read', 'write', 'admin'];
const permissions = areas.flatMap((area) => levels.map((level) => `${area}:${level}`));
const grants = [...levels, ...permissions, ...areas, 'app:*', ...levels.map((level) => `app:*:${level}`)];

/** A simple implementation of the table in permission.ts. The tests compare `covers` with it. */
function coversNaively(grant: string, permission: string): boolean {
  const wantedLevel = permission.slice(permission.lastIndexOf(':') + 1);
  const wantedArea = permission.slice(0, permission.lastIndexOf(':'));
  const levelOf = levels.find((level) => grant === level || grant.endsWith(`:${level}`));
  const area = levelOf === undefined ? grant : grant.slice(0, Math.max(0, grant.length - levelOf.length - 1));
  const isArea = area === '' || area === wantedArea || (area === 'app:*' && wantedArea.startsWith('app:'));
  return isArea && levels.indexOf(wantedLevel) <= levels.indexOf(levelOf ?? 'admin');
}

describe('permissions', () => {
  it('are covered by grants as the table says', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...grants), { maxLength: 3 }),
        fc.constantFrom(...permissions),
        (held, permission) => {
          expect(covers(held, permission)).toBe(held.some((grant) => coversNaively(grant, permission)));
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('never widen when a grant is taken away', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...grants), { minLength: 1, maxLength: 4 }),
        fc.constantFrom(...permissions),
        (held, permission) => {
          expect(covers(held, permission) || !covers(held.slice(1), permission)).toBe(true);
        },
      ),
    );
  });

  it.each([
    '',
    '*',
    'app',
    'app:',
    'app:read',
    'app:NP',
    'read:',
    'admin:write',
    'app:np:own',
    'app:*:np',
    'reed',
    'user',
    ' read',
    'read\n',
  ])('%j is no grant and covers nothing', (text) => {
    expect(isGrant(text)).toBe(false);
    expect(permissions.some((permission) => covers([text], permission))).toBe(false);
  });

  it.each(['read', 'app:*:read', 'users', 'app:np', '', 'app:read', 'app:np:', 'things:read'])(
    '%j is no permission',
    (text) => {
      expect(isPermission(text)).toBe(false);
      expect(() => covers(['admin'], text)).toThrow(TypeError);
    },
  );
});
