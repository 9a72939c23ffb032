import { record } from '@holdfast/keyspace';

import { foldEmail } from '../model/email.ts';
import { credentialSchema, userSchema } from '../model/user.ts';
import { foldUsername } from '../model/username.ts';

export const users = record('u:{id}', userSchema, {
  indexes: {
    username: {
      key: 'idx:user:username:{lower}',
      value: '{id}',
      unique: true,
      from: { lower: (user) => foldUsername(user.username) },
    },
    email: {
      key: 'idx:user:email:{lower}',
      value: '{id}',
      unique: true,
      from: { lower: (user) => (user.email === null ? null : foldEmail(user.email)) },
    },
    /** Finds another active administrator within a transaction. */
    activeRole: {
      key: 'idx:user:role:{role}:{id}',
      value: '1',
      when: (user) => user.status === 'active',
      from: { role: (user) => user.roles },
    },
  },
});

/** The only place with password hashes. */
export const credentials = record('ua:{id}', credentialSchema);
