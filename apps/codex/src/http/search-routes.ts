import { defineRoute, ok, page, pageQuery } from '@holdfast/http';
import { z } from 'zod';

import { codexErrors } from '../model/errors.ts';
import type { Codex } from '../service/codex.ts';
import { type Hits, type Search, search } from '../service/search.ts';
import { listNotebooks, notebookOf } from '../store/notebooks.ts';
import { countProperties, countTags } from '../store/notes/note-facts.ts';
import { afterErrors } from './route-errors.ts';
import { afterQuery, hitPage, numberParameter, propertyCountsSchema, tagCountsSchema } from './schemas.ts';
import { noteView } from './views.ts';
import { afterEvent, waitLimits } from './waiting.ts';

const permission = 'app:codex:read';
const params = z.object({ id: numberParameter });
const errors = [codexErrors.NOTEBOOK_NOT_FOUND];
const FILTERS_MAX = 10;
const filter = z.string().min(1).max(500);
const filters = z
  .union([filter.transform((one) => [one]), z.array(filter).max(FILTERS_MAX)])
  .optional()
  .meta({ description: 'May be given several times; all must hold' });
const time = z.iso.datetime({ offset: true }).or(z.iso.date()).optional();
const query = z.object({
  ...pageQuery,
  ...afterQuery,
  q: z.string().max(1_000).optional().meta({
    description:
      'Words (also beginnings of words), "phrases", -without, tag:x, path:x, title:x, after:x, before:x, name:value',
  }),
  tag: filters,
  property: filters,
  path: z.string().max(1_000).optional().meta({ description: 'How the path begins' }),
  after: time,
  before: time,
});

export function searchRoutes(codex: Codex) {
  const inNotebook = defineRoute({
    method: 'GET',
    path: '/notebooks/{id}/search',
    permission,
    summary: 'Notes of a notebook that have these words, tags or properties, the best first',
    request: { params, query },
    responses: { 200: hitPage },
    errors: [...errors, ...afterErrors],
    limits: waitLimits,
    handler: async ({ params: { id }, query: asked, signal }) => {
      await afterEvent(codex, asked.after_event, signal);
      const tx = codex.store.reader;
      return ok(hitsView(search(tx, [notebookOf(tx, id).id], searchOf(asked))));
    },
  });
  const everywhere = defineRoute({
    method: 'GET',
    path: '/search',
    permission,
    summary: 'The same over all notebooks',
    request: { query },
    responses: { 200: hitPage },
    limits: waitLimits,
    handler: async ({ query: asked, signal }) => {
      await afterEvent(codex, asked.after_event, signal);
      const tx = codex.store.reader;
      return ok(
        hitsView(
          search(
            tx,
            listNotebooks(tx).map(({ id }) => id),
            searchOf(asked),
          ),
        ),
      );
    },
  });
  const tags = defineRoute({
    method: 'GET',
    path: '/notebooks/{id}/tags',
    permission,
    summary: 'The tags of a notebook, the most used first',
    request: { params },
    responses: { 200: tagCountsSchema },
    errors,
    handler: ({ params: { id } }) => {
      const tx = codex.store.reader;
      const found = countTags(tx, notebookOf(tx, id).id);
      return ok({ data: found.map(({ name, count }) => ({ tag: name, count })) });
    },
  });
  const properties = defineRoute({
    method: 'GET',
    path: '/notebooks/{id}/properties',
    permission,
    summary: 'The names of properties in a notebook, the most used first',
    request: { params },
    responses: { 200: propertyCountsSchema },
    errors,
    handler: ({ params: { id } }) => {
      const tx = codex.store.reader;
      const found = countProperties(tx, notebookOf(tx, id).id);
      return ok({ data: found.map(({ name, count }) => ({ key: name, count })) });
    },
  });
  return [inNotebook, everywhere, tags, properties] as const;
}

function searchOf({ q, tag, property, ...rest }: z.output<typeof query>): Search {
  return { ...rest, text: q, tags: tag, properties: property };
}

function hitsView({ hits, cursor }: Hits): z.input<typeof hitPage> {
  const shown = hits.map(({ file, note, snippet, score }) => ({
    file: noteView(file, note),
    snippet: [...snippet],
    score,
  }));
  return { ...page(shown, cursor), data: shown };
}
