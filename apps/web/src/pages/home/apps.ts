import type { ComponentType } from 'react';

import type { DatabaseName } from '../../api/types.ts';
import { BooksGlance, NotebooksGlance, PlansGlance, TasksGlance, UsersGlance } from './glances.tsx';

/** Describes what a database is for. */
interface AppText {
  readonly title: string;
  readonly what: string;
  /** Main page of the application, and the permission it requires. */
  readonly page?: { readonly path: string; readonly permission: string };
  /** A short summary. */
  readonly Glance?: ComponentType;
}

const appCards: Readonly<Partial<Record<DatabaseName, AppText>>> = {
  np: {
    title: 'Plans',
    what: 'Agents keep a plan per project directory; you watch it live.',
    page: { path: '/plans', permission: 'app:np:read' },
    Glance: PlansGlance,
  },
  utask: {
    title: 'Tasks',
    what: 'A small task list, on this machine or shared over NATS.',
    page: { path: '/tasks', permission: 'app:utask:read' },
    Glance: TasksGlance,
  },
  codex: {
    title: 'Notebooks',
    what: 'Folders of plain files with a history of every change.',
    page: { path: '/notebooks', permission: 'app:codex:read' },
    Glance: NotebooksGlance,
  },
  audiobooks: {
    title: 'Audiobooks',
    what: 'Your library, organised, with a listening position for every user.',
    page: { path: '/books', permission: 'app:audiobooks:read' },
    Glance: BooksGlance,
  },
  accounts: {
    title: 'Users',
    what: 'Users of this server, their sessions and tokens.',
    page: { path: '/users', permission: 'users:read' },
    Glance: UsersGlance,
  },
};

export interface App extends AppText {
  readonly database: DatabaseName;
}

/** Applications with their own page, which users without access to databases can open. */
export const apps: readonly App[] = Object.entries(appCards)
  .map(([database, card]) => ({ database: database as DatabaseName, ...card }))
  .filter((card) => card.page !== undefined);

export function cardOf(name: DatabaseName): AppText {
  return appCards[name] ?? { title: name, what: 'A database on this server' };
}
