import { createClient } from '@holdfast/http/client';
import type { RingmasterRoutes } from '@holdfast/hub';

/** Apart from the other clients, so that it comes with its own pages. */
export const ringmasterApi = createClient<RingmasterRoutes>('/api/ringmaster');

type DataOf<Call extends (...input: never[]) => Promise<{ readonly data: unknown }>> = Awaited<
  ReturnType<Call>
>['data'];
export type Place = DataOf<typeof ringmasterApi.GET<'/places'>>['data'][number];
export type BoardTask = DataOf<typeof ringmasterApi.GET<'/places/{place}/tasks'>>['data'][number];
export type TaskStatus = BoardTask['status'];
export type ShownTask = DataOf<typeof ringmasterApi.GET<'/places/{place}/tasks/{id}'>>;
export type Attempt = ShownTask['attempts'][number];
export type Iteration = ShownTask['iterations'][number];
export type Explanation = DataOf<typeof ringmasterApi.GET<'/places/{place}/tasks/{id}/why'>>;
export type Inquiry = DataOf<typeof ringmasterApi.GET<'/places/{place}/inquiries'>>['data'][number];
export type QueueEntry = DataOf<typeof ringmasterApi.GET<'/places/{place}/queue'>>['data'][number];
export type RingWorker = DataOf<typeof ringmasterApi.GET<'/places/{place}/workers'>>['data'][number];
export type RingEvent = DataOf<typeof ringmasterApi.GET<'/places/{place}/events'>>['data'][number];
export type ShownSettings = DataOf<typeof ringmasterApi.GET<'/places/{place}/projects/{id}/settings'>>;
export type ProjectSettings = ShownSettings['settings'];
export type SettingChanges = { [Name in keyof ProjectSettings]?: ProjectSettings[Name] | null };
export type Day = DataOf<typeof ringmasterApi.GET<'/places/{place}/figures'>>['data'][number];
export type LogPiece = DataOf<typeof ringmasterApi.GET<'/places/{place}/tasks/{id}/log'>>['data'][number];
