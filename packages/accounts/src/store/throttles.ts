import { record } from '@holdfast/keyspace';

import { throttleSchema } from '../model/throttle.ts';
import { toMilliseconds } from '../model/time.ts';

export const throttles = record('thr:{kind}:{id}', throttleSchema, {
  indexes: {
    expiry: {
      key: 'idx:thr:exp:{at:d15}:{kind}:{id}',
      value: '1',
      from: { at: (throttle) => toMilliseconds(throttle.expires_at) },
    },
  },
});
