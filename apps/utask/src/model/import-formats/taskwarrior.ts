import { detailsOf, dueInstant, type TaskDetails } from '../details.ts';
import { checkedText, derivedNonce, isTaskId, type Task, taskId } from '../task.ts';
import { normalizedTags } from '../tag.ts';
import { countOf, entriesOf, type Format, parseJson } from './format.ts';

interface Item {
  readonly uuid: string;
  readonly description: string;
  /** `20250826T134000Z` */
  readonly entry: string;
  readonly status: string;
  readonly tags?: readonly string[] | undefined;
  readonly end?: string | undefined;
  readonly [field: string]: unknown;
}

function isItem(value: unknown): value is Item {
  const { uuid, description, entry, status, tags, end } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return (
    [uuid, description, status, end ?? ''].every((text) => typeof text === 'string') &&
    typeof entry === 'string' &&
    /^\d{8}T\d{6}Z$/.test(entry) &&
    (tags === undefined || (Array.isArray(tags) && tags.every((tag) => typeof tag === 'string')))
  );
}

/**
 * Fields that ut adds. Taskwarrior keeps them as user-defined attributes, so that ut can import its own exported tasks
 * unchanged.
 */
const OURS = ['utaskid', 'utaskcreated', 'utasktags', 'utaskcompleted', 'utaskdue'] as const;
/** Fields that Taskwarrior computes or adds itself. */
const DERIVED = ['id', 'urgency', 'modified'] as const;
const NATIVE = ['uuid', 'description', 'entry', 'status', 'tags', 'end', 'due', 'priority'] as const;

/**
 * Reads the output of `task export` and writes input for `task import`. The imported original is kept in `source`.
 * Text, tags, state, due date and priority are exported as in the original, unless they changed in ut.
 */
export const taskwarriorFormat: Format = {
  name: 'taskwarrior',
  read(text) {
    // Older versions print one object per line, without the brackets of a list.
    const isList = text.trimStart().startsWith('[');
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    const items = isList ? parseJson(text) : lines.map((line) => parseJson(line.replace(/,\s*$/, '')));
    return entriesOf(items, isItem, 'a Taskwarrior task').map(toTask);
  },
  write(tasks) {
    const items = tasks.map(toItem);
    const spaced = tasks.filter(({ tags }) => tags.some((tag) => /\s/.test(tag))).length;
    return {
      text: `[\n${items.map((item) => JSON.stringify(item)).join(',\n')}\n]\n`,
      losses: countOf(spaced, 'tags with spaces are written with _ (and come back with spaces)'),
    };
  },
};

function toTask(item: Item): Task {
  const text = checkedText(item.description);
  const own = ownFields(item);
  const created = own?.created ?? toIso(item.entry);
  // Derives the id from the uuid alone, because text and entry can be edited in Taskwarrior.
  const id = own?.id ?? taskId({ created: '', text: '', nonce: derivedNonce(`taskwarrior ${item.uuid}`) });
  const tags = own?.tags ?? normalizedTags(item.tags ?? []);
  const task: Task = { id, text, done: isDone(item), tags, created, ...completionOf(item), ...detailsIn(item) };
  return own !== undefined && hasNothingElse(item) ? task : { ...task, source: { format: 'taskwarrior', data: item } };
}

function toItem(task: Task): Item {
  const data = task.source?.format === 'taskwarrior' ? task.source.data : undefined;
  const original = isItem(data) ? data : undefined;
  const item = original ?? newItem(task);
  const before = toTask(item);
  return {
    ...item,
    description: before.text === task.text ? item.description : task.text,
    ...(before.done === task.done && before.completed === task.completed ? {} : stateOf(task, item)),
    ...(before.tags.join() === task.tags.join() ? {} : tagsOf(task, original !== undefined)),
    ...(before['due'] === task['due'] ? {} : dueOf(task)),
    ...(before['priority'] === task['priority'] ? {} : priorityOf(task)),
  };
}

/** Includes project and notes, which ut shows but cannot change. */
function detailsIn({ due, utaskdue: ours, priority, project, annotations }: Item): TaskDetails {
  const isOurs = typeof ours === 'string' && compactInstant(ours) === due;
  const level = LEVELS.findIndex((letter) => letter === priority) + 1;
  const notes = Array.isArray(annotations)
    ? annotations.map((note: { readonly description?: unknown } | null) => note?.description)
    : [];
  return {
    ...(typeof due === 'string' ? { due: isOurs ? ours : toIso(due) } : {}),
    ...(level > 0 ? { priority: level } : {}),
    ...(typeof project === 'string' ? { project } : {}),
    ...(notes.length > 0 ? { notes: notes.filter((note) => typeof note === 'string') } : {}),
  };
}

const LEVELS = ['H', 'M', 'L'];

/** Taskwarrior stores a due day as local midnight. Our field `utaskdue` records that it was a day and not a time. */
function dueOf(task: Task) {
  const { due } = detailsOf(task);
  return due === undefined ? { due: undefined, utaskdue: undefined } : { due: compactInstant(due), utaskdue: due };
}

function compactInstant(due: string): string {
  return fromIso(new Date(dueInstant(due)).toISOString());
}

function priorityOf(task: Task) {
  const { priority } = detailsOf(task);
  return { priority: priority === undefined ? undefined : LEVELS[Math.min(priority, LEVELS.length) - 1] };
}

function newItem(task: Task): Item {
  const hex = task.id;
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)];
  const item = { uuid: parts.join('-'), description: task.text, entry: fromIso(task.created), status: 'pending' };
  return {
    ...item,
    ...(task.done ? stateOf(task, item) : {}),
    utaskid: hex,
    utaskcreated: task.created,
    ...tagsOf(task, false),
    ...dueOf(task),
    ...priorityOf(task),
  };
}

/**
 * Returns the fields for the state of a task. Leaves recurring templates unchanged. If a done task has no completion
 * time, uses the end of the imported task or its creation time.
 */
function stateOf({ done, completed }: Task, item: Pick<Item, 'entry' | 'status' | 'end'>) {
  if (item.status === 'recurring') return {};
  if (!done) return { status: 'pending', end: undefined, utaskcompleted: undefined };
  const end = completed === undefined ? (item.end ?? item.entry) : fromIso(completed);
  return { status: 'completed', end, ...(completed === undefined ? {} : { utaskcompleted: completed }) };
}

/**
 * Prefers `utaskcompleted`, which has milliseconds, unless somebody changed the time in Taskwarrior after the export.
 */
function completionOf({ status, end, utaskcompleted: ours }: Item): Pick<Task, 'completed'> {
  if (status !== 'completed' || end === undefined) return {};
  return { completed: typeof ours === 'string' && fromIso(ours) === end ? ours : toIso(end) };
}

function tagsOf({ tags }: Task, isForeign: boolean) {
  const written = tags.length === 0 ? {} : { tags: tags.map(toTaskwarriorTag) };
  const removed = tags.length === 0 && isForeign ? { tags: undefined } : {};
  return { ...written, ...removed, ...(isForeign || tags.length === 0 ? {} : { utasktags: tags.join(',') }) };
}

function ownFields(item: Item): { id: string; created: string; tags: readonly string[] } | undefined {
  const [id, created, tags] = OURS.map((name) => item[name]);
  if (typeof id !== 'string' || !isTaskId(id) || typeof created !== 'string') return undefined;
  const ours = typeof tags === 'string' && tags !== '' ? normalizedTags([tags]) : [];
  const theirs = item.tags ?? [];
  // If the tags changed in Taskwarrior, its tags win. Otherwise ours win, because they keep the original spelling.
  const isUnchanged = [...theirs].sort().join() === ours.map(toTaskwarriorTag).sort().join();
  return { id, created, tags: isUnchanged ? ours : normalizedTags(theirs) };
}

function hasNothingElse(item: Item): boolean {
  const known = new Set<string>([...OURS, ...DERIVED, ...NATIVE]);
  return Object.keys(item).every((key) => known.has(key));
}

function toTaskwarriorTag(tag: string): string {
  return tag.replaceAll(/\s/g, '_');
}

function isDone({ status }: Item): boolean {
  return status === 'completed' || status === 'deleted';
}

function toIso(compact: string): string {
  return compact.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z');
}

function fromIso(iso: string): string {
  return iso.replaceAll(/[-:]|\.\d+/g, '');
}
