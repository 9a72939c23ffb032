import { expect, it } from 'vitest';

import { parseAddress } from './address.ts';

it('shows an address without its password', () => {
  const address = parseAddress('postgres://ada:p%40ss@db1.example:6000,[::1]/plans?installation=team');
  expect(address).toMatchObject({
    hosts: [
      { host: 'db1.example', port: 6000 },
      { host: '::1', port: 5432 },
    ],
    user: 'ada',
    password: 'p@ss',
    database: 'plans',
    installation: 'team',
    shown: 'postgres://ada@db1.example:6000,[::1]:5432/plans',
  });
});

it('encrypts connections to other machines and checks the certificate, unless told otherwise', () => {
  expect(parseAddress('postgres://db.example/x').tls).toEqual({ rejectUnauthorized: true });
  expect(parseAddress('postgres://db.example/x?sslmode=require').tls).toEqual({ rejectUnauthorized: false });
  expect(parseAddress('postgres://db.example/x?sslmode=disable').tls).toBe(false);
  expect(parseAddress('postgres://localhost/x').tls).toBe(false);
  expect(parseAddress('postgres:///x?host=/run/postgresql').hosts).toEqual([{ host: '/run/postgresql', port: 5432 }]);
});

it('refuses what is not an address, without repeating it', () => {
  for (const text of [
    's3cret',
    'mysql://ada:s3cret@db/x',
    'postgres://ada:s3cret@:x/y',
    'postgres://a:s3cret@h/x?q=1',
  ]) {
    let message = '';
    try {
      parseAddress(text);
    } catch (error) {
      message = (error as Error).message;
      expect(error).toMatchObject({ code: 'STORE_ADDRESS_INVALID' });
    }
    expect(message).not.toBe('');
    expect(message).not.toContain('s3cret');
  }
});
