import { describe, expect, it } from 'vitest';

import { tokenFor } from './remote-branch.ts';

describe('the token for the git remote', () => {
  it('is sent only over https to the host that the setting names', () => {
    expect(tokenFor('https://git.example/team/shop.git', 'git.example=s3cret=')).toBe('s3cret=');
    expect(tokenFor('https://user@Git.Example/shop.git', 'Git.example=s3cret')).toBe('s3cret');
    expect(tokenFor('https://evil.example/git.example/shop.git', 'git.example=s3cret')).toBeUndefined();
    expect(tokenFor('https://git.example:8443/shop.git', 'git.example=s3cret')).toBeUndefined();
    expect(tokenFor('https://git.example:8443/shop.git', 'git.example:8443=s3cret')).toBe('s3cret');
    expect(tokenFor('ssh://git.example/shop.git', 'git.example=s3cret')).toBeUndefined();
  });

  it('is refused without a host, because any repository could then receive it', () => {
    expect(() => tokenFor('https://git.example/shop.git', 's3cret')).toThrow(/does not name the host/);
    expect(tokenFor('https://git.example/shop.git', undefined)).toBeUndefined();
  });
});
