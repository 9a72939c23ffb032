/** Why a sign-in through OpenID Connect failed, by error code. The page /errors says what to do. */
export const signInFailures: ReadonlyMap<string, string> = new Map([
  ['OIDC_UNREACHABLE', 'The sign-in provider does not answer.'],
  ['OIDC_ISSUER_WRONG', 'The sign-in provider is not configured correctly.'],
  ['OIDC_CLOCK_WRONG', 'The clocks of the server and the sign-in provider differ.'],
  ['OIDC_SIGN_IN_FAILED', 'The sign-in provider refused the sign-in, or the sign-in took too long.'],
  ['OIDC_NO_ROLE', 'You have no access to this server.'],
  ['ACCOUNT_DISABLED', 'Your account is disabled.'],
  ['IDENTITY_NOT_LINKED', 'An account with your name exists, but it is not linked to the sign-in provider.'],
  ['IDENTITY_TAKEN', 'Another account is linked to this user of the sign-in provider.'],
  ['LAST_ADMIN', 'The roles from the sign-in provider would leave the server without an administrator.'],
]);
