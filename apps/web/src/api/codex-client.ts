import { createClient } from '@holdfast/http/client';
import type { CodexRoutes } from '@holdfast/hub';

/** Apart from the other clients, so that it comes with its own pages. */
export const codexApi = createClient<CodexRoutes>('/api/codex');

type DataOf<Call extends (...input: never[]) => Promise<{ readonly data: unknown }>> = Awaited<
  ReturnType<Call>
>['data'];
export type Notebook = DataOf<typeof codexApi.GET<'/notebooks'>>['data'][number];
export type NotebookStatus = DataOf<typeof codexApi.GET<'/notebooks/{id}/status'>>;
export type NoteFile = DataOf<typeof codexApi.GET<'/notebooks/{id}/files'>>['data'][number];
export type CodexEvent = DataOf<typeof codexApi.GET<'/events'>>['data'][number];
export type Version = DataOf<typeof codexApi.GET<'/notebooks/{id}/history'>>['data'][number];
export type TrashEntry = DataOf<typeof codexApi.GET<'/notebooks/{id}/trash'>>['data'][number];
export type SearchHit = DataOf<typeof codexApi.GET<'/notebooks/{id}/search'>>['data'][number];
export type NoteLinks = DataOf<typeof codexApi.GET<'/notebooks/{id}/files/{file_id}/links'>>;
