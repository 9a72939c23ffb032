/** Account operations as data: importing them loads neither the accounts nor a schema library. */
export { addUser, editUser, listAudit, listUsers, removeUser } from './users.ts';
export { listSessions, revokeOtherSessions, revokeSession } from './sessions.ts';
export { createToken, listTokens, revokeToken } from './tokens.ts';
