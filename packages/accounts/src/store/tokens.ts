import { record } from '@holdfast/keyspace';

import { tokenSchema } from '../model/token.ts';

export const tokens = record('tok:{id}', tokenSchema, {
  indexes: {
    user: { key: 'idx:tok:user:{user_id}:{id}', value: '1' },
    hash: { key: 'idx:tok:hash:{token_hash}', value: '{id}', unique: true },
    expiry: {
      key: 'idx:tok:exp:{at:d15}:{id}',
      value: '1',
      from: { at: (token) => (token.expires_at === null ? null : Date.parse(token.expires_at)) },
    },
  },
});
