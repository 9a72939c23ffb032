import type { DatabaseName } from '../../api/types.ts';

/** What a database is for; an application says so here. */
interface AppCard {
  readonly title: string;
  readonly what: string;
}

const appCards: Readonly<Partial<Record<DatabaseName, AppCard>>> = {
  np: {
    title: 'Plans',
    what: 'A plan per working directory that an agent keeps and a person watches.',
  },
  utask: {
    title: 'Tasks',
    what: 'A tiny task list, on this machine or shared by many over NATS.',
  },
  accounts: { title: 'Accounts', what: 'Users, sessions, tokens and preferences of this server.' },
};

export function cardOf(name: DatabaseName): AppCard {
  return appCards[name] ?? { title: name, what: 'A database of this server.' };
}
