import { boolean, choice, integer, json, list, nullable, object, text, time, type ValueOf } from './fields.ts';
import type { Caller } from './operation.ts';

/** An item that a search across all applications has found. */
export const foundObject = object(
  {
    app: text('Application that has the item'),
    kind: text('What the item is, for example `note`'),
    id: text(),
    title: text(),
    detail: nullable(text('Where the item is, or part of its text')),
    state: nullable(text('State of the item, for example `done`')),
    path: text('Path of the page that shows the item'),
    at: nullable(time('Time of the last change')),
    score: integer('How well the title matches, from 0 to 100'),
  },
  { id: 'FoundItem' },
);
export type FoundItem = ValueOf<typeof foundObject>;

export interface FindRequest {
  readonly words: readonly string[];
  readonly limit: number;
}

const requestFields = {
  method: choice(['POST', 'PUT', 'PATCH', 'DELETE']),
  path: text('Path of the route'),
  body: nullable(json()),
} as const;

/** An item that waits for a person, with the requests that settle it. */
export const attentionObject = object(
  {
    app: text('Application that has the item'),
    kind: text('Why a person is needed, for example `decision`'),
    id: text('Unique among the items of this application and kind'),
    title: text(),
    detail: nullable(text()),
    since: nullable(text('Time since which the item has been waiting')),
    path: text('Path of the page that shows the item'),
    actions: list(
      object({
        label: text('What the action does, for a button'),
        ...requestFields,
        undo: nullable(object(requestFields)),
      }),
      { summary: 'Requests that resolve the item' },
    ),
  },
  { id: 'InboxItem' },
);
export type AttentionItem = ValueOf<typeof attentionObject>;

/** A change that somebody made, in words: WHO TEXT TITLE, for example "ada completed Paint the boat". */
export const activityObject = object(
  {
    app: text('Application that has the item'),
    at: time(),
    who: nullable(text('Person or program that made the change, if known')),
    is_automatic: boolean('True if a program made the change by itself'),
    text: text('What was done, for example `completed`'),
    title: text('The item that was changed'),
    path: nullable(text('Path of the page that shows the item')),
  },
  { id: 'ActivityItem' },
);
export type ActivityItem = ValueOf<typeof activityObject>;

/** Example data, for people who want to look around first. */
export interface Demo {
  /**
   * Adds the data. `folder` has just been created for this demo; it contains the application's example files, if there
   * are any. Returns what `remove` needs.
   */
  create(folder: string, caller: Caller): Promise<string>;
  /** Removes what `create` added. Does nothing if a person has already removed it. */
  remove(created: string, caller: Caller): Promise<void>;
}

/** An application's part of the pages and commands that cover all applications. */
export interface Overview {
  /** Returns the best items that the caller may see. */
  find(request: FindRequest, caller: Caller): Promise<readonly FoundItem[]>;
  /** Returns everything that waits for a person, oldest first. */
  inbox(caller: Caller): Promise<readonly AttentionItem[]>;
  /** Returns the latest changes that the caller may see, in any order. */
  activity(limit: number, caller: Caller): Promise<readonly ActivityItem[]>;
  /** Returns the item that a dashboard page shows; undefined if the path belongs to no item of this application. */
  describe(path: string, caller: Caller): Promise<FoundItem | undefined>;
  readonly demo: Demo;
}

/** An overview that a command opened. The command closes it, which also closes the application's database. */
export interface OpenedOverview extends Overview {
  close(): Promise<void>;
}
