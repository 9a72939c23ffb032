import type { DatabaseName } from '../../api/types.ts';

/** What a database is for, and how it begins. An application says so here. */
export interface AppCard {
  readonly title: string;
  readonly what: string;
  readonly start?: string;
}

export const appCards: Readonly<Partial<Record<DatabaseName, AppCard>>> = {
  np: {
    title: 'Plans',
    what: 'A plan per working directory that an agent keeps and a person watches.',
    start: 'np start',
  },
  accounts: { title: 'Accounts', what: 'Users, sessions, tokens and preferences of this server.' },
};

export function cardOf(name: DatabaseName): AppCard {
  return appCards[name] ?? { title: name, what: 'A database of this server.' };
}
