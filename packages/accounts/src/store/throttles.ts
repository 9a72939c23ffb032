import { record } from '@holdfast/keyspace';

import { throttleSchema } from '../model/throttle.ts';

export const throttles = record('thr:{kind}:{id}', throttleSchema, {
  indexes: {
    expiry: {
      key: 'idx:thr:exp:{at:d15}:{kind}:{id}',
      value: '1',
      from: { at: (throttle) => Date.parse(throttle.expires_at) },
    },
  },
});
