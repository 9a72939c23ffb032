import { readPage } from '@holdfast/base';
import { defineRoute, ok, pageQuery } from '@holdfast/http';
import { z } from 'zod';

import { codexErrors } from '../model/errors.ts';
import { nameOf, type NotebookPath } from '../model/path.ts';
import type { Codex } from '../service/codex.ts';
import { knownPath } from '../service/paths.ts';
import { notebookOf } from '../store/notebooks.ts';
import type { Tx } from '../store/open.ts';
import { type Child, hasChildren, listChildren, type TreePlace } from '../store/tree.ts';
import { afterErrors } from './route-errors.ts';
import { afterQuery, numberParameter, treePage } from './schemas.ts';
import { afterEvent, waitLimits } from './waiting.ts';

/** Numbers in names count as numbers: note 2 comes before note 10. */
const natural = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

export function treeRoutes(codex: Codex) {
  const tree = defineRoute({
    method: 'GET',
    path: '/notebooks/{id}/tree',
    permission: 'app:codex:read',
    summary: 'What lies directly in one folder: folders first, then files',
    description:
      'Within a page they are in natural order; pages follow the plain order of names. Costs what it returns.',
    request: {
      params: z.object({ id: numberParameter }),
      query: z.object({ ...pageQuery, ...afterQuery, folder: z.string().max(4_096).optional() }),
    },
    responses: { 200: treePage },
    errors: [codexErrors.NOTEBOOK_NOT_FOUND, codexErrors.PATH_INVALID, ...afterErrors],
    limits: waitLimits,
    handler: async ({ params: { id }, query: { folder = '', cursor, limit, after_event }, signal }) => {
      await afterEvent(codex, after_event, signal);
      const tx = codex.store.reader;
      notebookOf(tx, id);
      const inFolder = folder === '' ? '' : knownPath(tx, id, folder);
      const { data, next_cursor } = await readPage(
        limit,
        (count) => listChildren(tx, id, inFolder, placeOf(cursor), count),
        (last) => `${last.kind}:${last.path}`,
      );
      const children = data.map((child) => childView(tx, id, child));
      children.sort((left, right) => rank(left) - rank(right) || natural.compare(left.name, right.name));
      return ok({ data: children, next_cursor });
    },
  });
  return [tree] as const;
}

function rank({ kind }: Pick<Child, 'kind'>): number {
  return kind === 'folder' ? 0 : 1;
}

function placeOf(cursor: string | undefined): TreePlace {
  const [, kind = 'folder', after = ''] = /^(folder|file):(.*)$/su.exec(cursor ?? '') ?? [];
  return { kind: kind as TreePlace['kind'], after: after.replaceAll('\0', '') };
}

function childView(tx: Tx, notebookId: number, child: Child): z.input<typeof treePage>['data'][number] {
  const name = nameOf(child.path as NotebookPath);
  if (child.kind === 'file') return { ...child, name, has_children: false };
  const nothing = { title: null, size: null, content_type: null, updated_at: null, git_reason: null };
  return { ...child, name, ...nothing, has_children: hasChildren(tx, notebookId, child.path) };
}
