import { defineErrors } from '@holdfast/base';

/** Error messages must never repeat a secret that somebody typed. */
export const accountErrors = defineErrors({
  CREDENTIALS_WRONG: {
    kind: 'failed',
    means: 'The name or the password is wrong, or the account cannot sign in. The answer does not say which.',
    hint: 'Check both and try again. An administrator can set a new password with `holdfast user password`.',
  },
  LOGIN_THROTTLED: {
    kind: 'unavailable',
    means: 'Too many sign-ins failed from this place lately. The password was not looked at.',
    hint: 'Wait as long as the message says. A browser that has signed in before is not held up by the attempts of others.',
  },
  HASHING_BUSY: {
    kind: 'unavailable',
    means: 'More passwords are being checked at this moment than the memory set aside for it allows.',
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
    hint: 'Make a new one with `holdfast token create`.',
  },
  USERNAME_INVALID: {
    kind: 'usage',
    means: 'A user name is empty, too long, or has characters that are not allowed or could be mistaken for others.',
    hint: 'Use 1 to 64 letters and digits of one script; `.`, `_` and `-` may stand between them.',
  },
  USERNAME_TAKEN: {
    kind: 'conflict',
    means: 'Another user has this name; capital and small letters count as the same.',
    hint: 'Choose another name.',
  },
  EMAIL_INVALID: {
    kind: 'usage',
    means: 'An e-mail address does not look like one.',
    hint: 'It looks like name@example.org; leave it out if there is none.',
  },
  EMAIL_TAKEN: {
    kind: 'conflict',
    means: 'Another user has this e-mail address.',
    hint: 'Use another address, or none.',
  },
  PASSWORD_WEAK: {
    kind: 'usage',
    means: 'A new password is too short or among the first that anybody would try.',
    hint: 'Four or five random words make a good password; spaces and all languages are welcome.',
  },
  PASSWORD_UNUSABLE: {
    kind: 'usage',
    means: 'A password is longer than 1,024 bytes or is not valid Unicode text.',
    hint: 'Use a shorter one.',
  },
  USER_NOT_FOUND: {
    kind: 'not_found',
    means: 'There is no user with this id or name.',
    hint: '`holdfast user list` shows all users.',
  },
  ROLE_UNKNOWN: {
    kind: 'usage',
    means: 'A user was to get a role that does not exist, or no role at all.',
    hint: 'The roles are admin, user and viewer.',
  },
  LAST_ADMIN: {
    kind: 'conflict',
    means: 'The last active administrator was to be deleted, disabled or demoted.',
    hint: 'Make somebody else an administrator first.',
  },
  OWNER_EXISTS: {
    kind: 'conflict',
    means: 'The owner was to be made, but there is one already.',
    hint: 'Sign in as the owner, or add users with `holdfast user add`.',
  },
  SETUP_REQUIRED: {
    kind: 'conflict',
    means: 'A user was to be added before there is an owner.',
    hint: 'Open the one-time link that `holdfast serve` prints, or run `holdfast token create`, which makes the owner.',
  },
  SETUP_LINK_INVALID: {
    kind: 'failed',
    means: 'The one-time link was used, has expired, or was replaced by a newer one.',
    hint: 'Restart `holdfast serve`: it prints a new link as long as the owner has no password.',
  },
  SESSION_NOT_FOUND: {
    kind: 'not_found',
    means: 'The user has no such session.',
    hint: 'It may have ended already.',
  },
  TOKEN_NOT_FOUND: {
    kind: 'not_found',
    means: 'The user has no such token.',
    hint: 'It may have been revoked already; `holdfast token list` shows what there is.',
  },
  TOKEN_REQUEST_INVALID: {
    kind: 'usage',
    means: 'A token was asked for with a name, a scope or an expiry that cannot be used.',
    hint: 'Scopes are read, write, admin, app:NAME and app:NAME:read; the name is 1 to 64 characters; the expiry lies ahead.',
  },
  TOKEN_LIMIT: {
    kind: 'conflict',
    means: 'The user has as many tokens as one user may have.',
    hint: 'Revoke those that are not used; the list says when each was used last.',
  },
  HASH_POLICY_INVALID: {
    kind: 'usage',
    means: 'The parameters for password hashing are below what is safe or above what this program allows.',
    hint: 'At least 19456 KiB, 2 passes and 1 lane (OWASP); the default is 65536, 3 and 1.',
  },
  NOT_AN_ACCOUNTS_DATABASE: {
    kind: 'usage',
    means: 'The keyspace was opened without the schema and migrations of the accounts.',
    hint: 'Open it with `openAccountsKeyspace(engine)`.',
  },
});
