import { createClient } from '@holdfast/http/client';
import type { RingmasterRoutes } from '@holdfast/hub';

/** Apart from the other clients, so that it comes with its own pages. */
export const ringmasterApi = createClient<RingmasterRoutes>('/api/ringmaster');

type DataOf<Call extends (...input: never[]) => Promise<{ readonly data: unknown }>> = Awaited<
  ReturnType<Call>
>['data'];
export type Place = DataOf<typeof ringmasterApi.GET<'/workspaces'>>['data'][number];
export type BoardTask = DataOf<typeof ringmasterApi.GET<'/workspaces/{workspace}/tasks'>>['data'][number];
export type TaskStatus = BoardTask['status'];
export type ShownTask = DataOf<typeof ringmasterApi.GET<'/workspaces/{workspace}/tasks/{id}'>>;
export type Attempt = ShownTask['attempts'][number];
export type Iteration = ShownTask['iterations'][number];
export type Explanation = DataOf<typeof ringmasterApi.GET<'/workspaces/{workspace}/tasks/{id}/why'>>;
export type Inquiry = DataOf<typeof ringmasterApi.GET<'/workspaces/{workspace}/inquiries'>>['data'][number];
export type QueueEntry = DataOf<typeof ringmasterApi.GET<'/workspaces/{workspace}/queue'>>['data'][number];
export type RingWorker = DataOf<typeof ringmasterApi.GET<'/workspaces/{workspace}/workers'>>['data'][number];
export type RingEvent = DataOf<typeof ringmasterApi.GET<'/workspaces/{workspace}/events'>>['data'][number];
export type ShownSettings = DataOf<typeof ringmasterApi.GET<'/workspaces/{workspace}/projects/{id}/settings'>>;
export type ProjectSettings = ShownSettings['settings'];
export type SettingChanges = { [Name in keyof ProjectSettings]?: ProjectSettings[Name] | null };
export type Day = DataOf<typeof ringmasterApi.GET<'/workspaces/{workspace}/metrics'>>['data'][number];
export type LogPiece = DataOf<typeof ringmasterApi.GET<'/workspaces/{workspace}/tasks/{id}/log'>>['data'][number];
