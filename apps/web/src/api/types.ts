import type { NpEvent } from '@holdfast/hub';

import type { accountApi, npApi, systemApi, usersApi, utaskApi } from './clients.ts';

type DataOf<Call extends (...input: never[]) => Promise<{ readonly data: unknown }>> = Awaited<
  ReturnType<Call>
>['data'];

export type DatabaseState = DataOf<typeof systemApi.GET<'/databases'>>['data'][number];
export type DatabaseName = DatabaseState['name'];
export type Commit = DataOf<typeof systemApi.GET<'/databases/{name}/commits'>>['data'][number];
export type Change = Commit['changes'][number];
export type StoredKey = DataOf<typeof systemApi.GET<'/databases/{name}/keys'>>['data'][number];
export type SystemInfo = DataOf<typeof systemApi.GET<'/info'>>;
export type Session = DataOf<typeof accountApi.GET<'/sessions'>>['data'][number];
export type Token = DataOf<typeof accountApi.GET<'/tokens'>>['data'][number];
export type Me = DataOf<typeof accountApi.GET<'/me'>>;
export type AuditEntry = DataOf<typeof usersApi.GET<'/audit'>>['data'][number];
export type User = DataOf<typeof usersApi.GET<'/'>>['data'][number];

export type PlanSummary = DataOf<typeof npApi.GET<'/sessions'>>['data'][number];
export type SessionState = PlanSummary['session']['state'] | 'all';
export type Plan = DataOf<typeof npApi.GET<'/sessions/{sid}'>>;
export type PlanTask = Plan['tasks'][number];
export type PlanCounts = Plan['counts'];
export type PlanEvent = NpEvent;
export type PlanEventPage = DataOf<typeof npApi.GET<'/sessions/{sid}/events'>>;

export type Task = DataOf<typeof utaskApi.GET<'/tasks/{id}'>>;
export type TaskPage = DataOf<typeof utaskApi.GET<'/tasks'>>;
export type TaskCounts = DataOf<typeof utaskApi.GET<'/tags'>>;
export type TaskPlace = DataOf<typeof utaskApi.GET<'/status'>>;
