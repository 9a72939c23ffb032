import { record } from '@holdfast/keyspace';

import { replySchema } from '../model/reply.ts';

export const replies = record('idem:{user_id}:{key_hash}', replySchema, {
  indexes: {
    expiry: {
      key: 'idx:idem:exp:{at:d15}:{user_id}:{key_hash}',
      value: '1',
      from: { at: (reply) => Date.parse(reply.expires_at) },
    },
  },
});
