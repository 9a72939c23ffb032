import { defineErrors } from '@holdfast/base';

/** Error messages must never repeat a secret that somebody typed. */
export const accountErrors = defineErrors({
  CREDENTIALS_WRONG: {
    kind: 'failed',
    means:
      'The user name or password is wrong, or the account cannot sign in. For security, the answer does not say which.',
    hint: 'Check both and try again. An administrator can set a new password with `holdfast user password`.',
  },
  LOGIN_THROTTLED: {
    kind: 'unavailable',
    means: 'Too many recent sign-in attempts from this address failed. The password was not checked.',
    hint: 'Wait for the time given in the message. Attempts by others do not delay a browser that has signed in before.',
  },
  HASHING_BUSY: {
    kind: 'unavailable',
    means: 'The server is already checking as many passwords as its memory limit allows.',
    hint: 'Try again in a few seconds.',
  },
  SESSION_INVALID: {
    kind: 'failed',
    means: 'The session does not exist, has expired or was ended, or its user was disabled.',
    hint: 'Sign in again.',
  },
  TOKEN_INVALID: {
    kind: 'failed',
    means: 'The token does not exist, has expired or was revoked, or its user was disabled.',
    hint: 'Create a new token with `holdfast token create --name NAME`.',
  },
  USERNAME_INVALID: {
    kind: 'usage',
    means:
      'The user name is empty, too long, or contains characters that are not allowed or that look like other characters.',
    hint: 'Use 1 to 64 letters of a single script and digits, with single `.`, `_` or `-` between them.',
  },
  USERNAME_TAKEN: {
    kind: 'conflict',
    means: 'Another user has this name. Names are not case-sensitive.',
    hint: 'Choose another name.',
  },
  EMAIL_INVALID: {
    kind: 'usage',
    means: 'The e-mail address is not valid.',
    hint: 'Use an address such as name@example.org, or leave it out.',
  },
  EMAIL_TAKEN: {
    kind: 'conflict',
    means: 'Another user has this e-mail address.',
    hint: 'Use another address, or leave it out.',
  },
  PASSWORD_WEAK: {
    kind: 'usage',
    means: 'The new password is too short or too easy to guess.',
    hint: 'Use four or five random words. Spaces and letters of any language are allowed.',
  },
  PASSWORD_UNUSABLE: {
    kind: 'usage',
    means: 'The password is longer than 1,024 bytes or is not valid Unicode text.',
    hint: 'Use a shorter password in valid Unicode.',
  },
  USER_NOT_FOUND: {
    kind: 'not_found',
    means: 'No user has this id, name or e-mail address.',
    hint: '`holdfast user list` shows all users.',
  },
  ROLE_UNKNOWN: {
    kind: 'usage',
    means: 'A requested role does not exist, or no role was given.',
    hint: 'The roles are admin, user and viewer.',
  },
  ACCOUNT_DISABLED: {
    kind: 'failed',
    means: 'The reverse proxy or OpenID Connect provider has signed the user in, but the account is disabled.',
    hint: 'An administrator can enable the account with `holdfast user enable`.',
  },
  OIDC_NOT_CONFIGURED: {
    kind: 'not_found',
    means: 'The server has no OpenID Connect provider.',
    hint: 'Set oidc_issuer and oidc_client_id; see docs/server.md.',
  },
  OIDC_ISSUER_WRONG: {
    kind: 'usage',
    means:
      'The URL in oidc_issuer is not the issuer of an OpenID Connect provider, or the provider names another issuer.',
    hint: 'Open URL/.well-known/openid-configuration: its `issuer` must be exactly the URL in oidc_issuer.',
  },
  OIDC_UNREACHABLE: {
    kind: 'unavailable',
    means: 'The OpenID Connect provider does not answer.',
    hint: 'Try again later, or sign in with a password.',
  },
  OIDC_CLOCK_WRONG: {
    kind: 'failed',
    means:
      'The clocks of this machine and the OpenID Connect provider differ by several minutes, so the server cannot ' +
      'tell whether the sign-in is recent.',
    hint: 'Correct the clock, for example with `timedatectl set-ntp true`, and sign in again.',
  },
  OIDC_SIGN_IN_FAILED: {
    kind: 'failed',
    means:
      'The OpenID Connect provider refused the sign-in, or its answer does not belong to a sign-in that this browser ' +
      'started in the last ten minutes.',
    hint: 'Start the sign-in again. If it fails again, the server log says why.',
  },
  OIDC_NO_ROLE: {
    kind: 'failed',
    means: 'The OpenID Connect provider has signed the user in, but sent no role that this server recognises.',
    hint: 'Ask an administrator for access. The setting oidc_roles lists the values that give a role.',
  },
  IDENTITY_NOT_LINKED: {
    kind: 'conflict',
    means:
      'Another account has the user name or e-mail address that the OpenID Connect provider sent. For security, the ' +
      'server does not assume that this account belongs to the same person.',
    hint: 'If the account is yours, sign in with its password and link it on the Account page.',
  },
  IDENTITY_TAKEN: {
    kind: 'conflict',
    means: 'This OpenID Connect user is already linked to another account.',
    hint: 'Sign in to the other account first, and unlink it on its Account page.',
  },
  LAST_ADMIN: {
    kind: 'conflict',
    means: 'The last active administrator cannot be deleted, disabled or demoted.',
    hint: 'Make another user an administrator first.',
  },
  OWNER_EXISTS: {
    kind: 'conflict',
    means: 'The server already has an owner.',
    hint: 'Sign in as the owner, or add users with `holdfast user add`.',
  },
  SETUP_REQUIRED: {
    kind: 'conflict',
    means: 'Users can be added only after the owner account exists.',
    hint:
      'Create the owner: open the one-time link that `holdfast serve` prints, or run ' +
      '`holdfast token create --name NAME`.',
  },
  SETUP_LINK_INVALID: {
    kind: 'failed',
    means: 'The one-time link was already used, has expired, or was replaced by a newer one.',
    hint: 'Restart `holdfast serve`. Until the owner has a password, each start prints a new link.',
  },
  SESSION_NOT_FOUND: {
    kind: 'not_found',
    means: 'The user has no session with this id.',
    hint: 'The session may already have ended. `holdfast session list` shows the sessions.',
  },
  TOKEN_NOT_FOUND: {
    kind: 'not_found',
    means: 'The user has no token with this id.',
    hint: 'The token may already have been revoked. `holdfast token list` shows the existing tokens.',
  },
  TOKEN_REQUEST_INVALID: {
    kind: 'usage',
    means: 'The name, scope or expiry of the requested token is not valid.',
    hint: 'Scopes are read, write, admin, app:NAME and app:NAME:read. The name has 1 to 64 characters. The expiry must be in the future.',
  },
  TOKEN_LIMIT: {
    kind: 'conflict',
    means: 'The user has reached the maximum number of tokens.',
    hint: 'Revoke unused tokens. `holdfast token list` shows when each was last used.',
  },
  HASH_POLICY_INVALID: {
    kind: 'usage',
    means: 'The password hashing parameters are below the safe minimum or above the allowed maximum.',
    hint: 'Use at least 19456 KiB, 2 passes and 1 lane (OWASP). The default is 65536 KiB, 3 passes and 1 lane.',
  },
  NOT_AN_ACCOUNTS_DATABASE: {
    kind: 'usage',
    means: 'The keyspace is not an accounts database: it was opened without the accounts schema and its migrations.',
    hint: 'Open it with `openAccountsKeyspace(engine)`.',
  },
});
