import { readPage } from '@holdfast/base';
import { contentTag, created, defineRoute, noContent, nothing, ok, optionalMatch, pageQuery } from '@holdfast/http';
import { z } from 'zod';
import { utaskErrors } from '../model/errors.ts';
import { encodeTask, type Task } from '../model/task.ts';
import { undelete } from '../service/history.ts';
import type { OpenUtask } from '../service/open-utask.ts';
import { newTask, taskChange, taskPage, taskSchema } from './schemas.ts';

const errors = [utaskErrors.TASK_NOT_FOUND, utaskErrors.ID_AMBIGUOUS];
const words = z.string().max(1_000).default('');

export function taskRoutes(open: OpenUtask) {
  const list = defineRoute({
    method: 'GET',
    path: '/tasks',
    permission: 'app:utask:read',
    summary: 'Tasks',
    request: {
      query: z.object({
        ...pageQuery,
        any: words.meta({ description: 'At least one of these tags, with commas between' }),
        all: words.meta({ description: 'Every one of these tags, with commas between' }),
        state: z.enum(['open', 'done', 'all']).default('all'),
        search: words.meta({ description: 'Only tasks with this in their text' }),
        order: z.enum(['oldest', 'newest']).default('oldest').meta({ description: 'Which comes first' }),
      }),
    },
    responses: { 200: taskPage },
    handler: async ({ query: { any, all, state, search, order, limit, cursor } }) => {
      const utask = await open();
      const found = await utask.query({ any: split(any), all: split(all) });
      const wanted = search.toLowerCase();
      const matching = found.filter(
        ({ done, text }) =>
          (state === 'all' || done === (state === 'done')) && (wanted === '' || text.toLowerCase().includes(wanted)),
      );
      const ordered = order === 'oldest' ? matching : matching.toReversed();
      const isAfter = (position: string, mark: string): boolean =>
        order === 'oldest' ? position > mark : position < mark;
      const rest = cursor === undefined ? ordered : ordered.filter((task) => isAfter(positionOf(task), cursor));
      const page = await readPage(limit, (count) => rest.slice(0, count), positionOf);
      return ok({ ...page, data: page.data.map(shownTask) });
    },
  });
  const one = defineRoute({
    method: 'GET',
    path: '/tasks/{id}',
    permission: 'app:utask:read',
    summary: 'One task, by its id or the beginning of it',
    responses: { 200: taskSchema },
    errors,
    handler: async ({ params }) => {
      const utask = await open();
      const task = await utask.get(params.id);
      return ok(shownTask(task), { etag: tagOf(task) });
    },
  });
  return [list, one, ...writeRoutes(open)] as const;
}

function writeRoutes(open: OpenUtask) {
  const add = defineRoute({
    method: 'POST',
    path: '/tasks',
    permission: 'app:utask:write',
    summary: 'Adds a task',
    request: { body: newTask },
    responses: { 201: taskSchema },
    idempotent: true,
    handler: async ({ body }) => {
      const utask = await open();
      const task = await utask.add(body.text, body.tags);
      return created(shownTask(task), `/api/utask/tasks/${task.id}`, { etag: tagOf(task) });
    },
  });
  const change = defineRoute({
    method: 'PATCH',
    path: '/tasks/{id}',
    permission: 'app:utask:write',
    summary: 'Changes text, state or tags; what is left out stays as it is',
    request: { body: taskChange },
    responses: { 200: taskSchema },
    errors,
    handler: async ({ params, body, request }) => {
      const match = optionalMatch(request);
      const utask = await open();
      const task = await utask.modify(params.id, (before) => {
        match?.assert(tagOf(before));
        return body;
      });
      return ok(shownTask(task), { etag: tagOf(task) });
    },
  });
  const remove = defineRoute({
    method: 'DELETE',
    path: '/tasks/{id}',
    permission: 'app:utask:write',
    summary: 'Deletes a task',
    responses: { 204: nothing },
    errors,
    handler: async ({ params, request }) => {
      const match = optionalMatch(request);
      const utask = await open();
      await utask.delete(params.id, (before) => match?.assert(tagOf(before)));
      return noContent();
    },
  });
  const restore = defineRoute({
    method: 'POST',
    path: '/tasks/{id}/restore',
    permission: 'app:utask:write',
    summary: 'Brings a deleted task back as it was, with its id',
    responses: { 200: taskSchema },
    errors: [utaskErrors.NO_HISTORY],
    handler: async ({ params }) => {
      const task = await undelete(await open(), params.id);
      return ok(shownTask(task), { etag: tagOf(task) });
    },
  });
  return [add, change, remove, restore] as const;
}

function shownTask({ id, text, done, tags, created: at }: Task) {
  return { id, text, done, tags: [...tags], created: at };
}

function tagOf(task: Task): string {
  return contentTag(encodeTask(task));
}

/** Sorts as the list does, and stays where it is when tasks come and go. */
function positionOf({ created: at, id }: Task): string {
  return `${at.length === 20 ? `${at.slice(0, -1)}.000Z` : at} ${id}`;
}

function split(list: string): readonly string[] {
  return list.split(',').filter((word) => word.trim() !== '');
}
