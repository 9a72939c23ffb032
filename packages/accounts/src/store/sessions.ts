import { record } from '@holdfast/keyspace';

import { deviceSchema, expiryOf, sessionSchema } from '../model/session.ts';

export const sessions = record('sess:{id}', sessionSchema, {
  indexes: {
    user: { key: 'idx:sess:user:{user_id}:{id}', value: '1' },
    hash: {
      key: 'idx:sess:hash:{token_hash}',
      value: '{id}',
      unique: true,
      when: (session) => !session.revoked,
    },
    expiry: {
      key: 'idx:sess:exp:{at:d15}:{id}',
      value: '1',
      from: { at: (session) => (session.revoked ? 0 : expiryOf(session)) },
    },
  },
});

export const devices = record('dev:{id}', deviceSchema, {
  indexes: {
    user: { key: 'idx:dev:user:{user_id}:{id}', value: '1' },
    hash: { key: 'idx:dev:hash:{token_hash}', value: '{id}', unique: true },
    expiry: {
      key: 'idx:dev:exp:{at:d15}:{id}',
      value: '1',
      from: { at: (device) => Date.parse(device.expires_at) },
    },
  },
});
