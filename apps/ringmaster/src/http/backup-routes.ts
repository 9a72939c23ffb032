import { defineRoute, ok } from '@holdfast/http';
import { z } from 'zod';

import { ringmasterErrors } from '../model/errors.ts';
import { backup, listBackups } from '../service/backup.ts';
import type { Workspaces } from '../service/workspaces.ts';
import type { Ringmaster } from '../service/ringmaster.ts';
import { requestWorkspace, readPermission, writePermission } from './request-workspace.ts';

const errors = [ringmasterErrors.WORKSPACE_NOT_FOUND];
const backupSchema = z.object({ created_at: z.string(), revision: z.int(), oldest_revision: z.int(), bytes: z.int() });
const responses = { 200: z.object({ data: z.array(backupSchema) }) };

export function backupRoutes(workspaces: Workspaces) {
  const list = defineRoute({
    method: 'GET',
    path: '/workspaces/{workspace}/backups',
    permission: readPermission,
    summary: 'Backups that can be restored from, the newest last',
    responses,
    errors,
    handler: async (input) => ok({ data: shownBackups(await requestWorkspace(workspaces, input)) }),
  });
  const make = defineRoute({
    method: 'POST',
    path: '/workspaces/{workspace}/backups',
    permission: writePermission,
    summary: 'Make a backup now; answers with all there are',
    responses,
    errors,
    handler: async (input) => {
      const rm = await requestWorkspace(workspaces, input);
      await backup(rm);
      return ok({ data: shownBackups(rm) });
    },
  });
  return [list, make] as const;
}

function shownBackups(rm: Ringmaster): z.infer<typeof backupSchema>[] {
  return listBackups(rm).map(({ created_at, revision, oldest_revision, bytes }) => ({
    created_at,
    revision,
    oldest_revision,
    bytes,
  }));
}
