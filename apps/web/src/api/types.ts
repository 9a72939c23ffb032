import type { accountApi, systemApi, usersApi } from './clients.ts';

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
export type User = DataOf<typeof usersApi.GET<'/'>>['data'][number];
