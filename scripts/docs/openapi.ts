import { audiobooksApp } from '@holdfast/audiobooks/http';
import { codexApp } from '@holdfast/codex/http';
import { openApiDocument } from '@holdfast/http';
import { VERSION } from '@holdfast/base';
import { hubApps } from '@holdfast/hub';
import { npApp } from '@holdfast/np/http';
import { ringmasterApp } from '@holdfast/ringmaster/http';
import { utaskApp } from '@holdfast/utask/http';

const hosted = [npApp, utaskApp, codexApp, ringmasterApp, audiobooksApp] as const;

/** Returns the OpenAPI document of the server. Never calls handlers, so it needs none of their dependencies. */
export function openApiJson(): string {
  const apps = hubApps({
    accounts: undefined as never,
    databases: undefined as never,
    activity: undefined as never,
    overviews: new Map(),
    folders: undefined as never,
  });
  return JSON.stringify(
    openApiDocument([...apps, ...hosted.map((app) => app(undefined as never))], {
      title: 'Holdfast',
      version: VERSION,
    }),
    null,
    2,
  );
}
