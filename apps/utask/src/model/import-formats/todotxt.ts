import { detailsOf, dueDay, type TaskDetails } from '../details.ts';
import { checkedText, derivedNonce, type Task, taskId } from '../task.ts';
import { normalizedTags } from '../tag.ts';
import { countOf, type Format } from './format.ts';

interface Line {
  readonly isDone: boolean;
  readonly priority: string | undefined;
  readonly completed: string | undefined;
  readonly created: string | undefined;
  readonly text: string;
}

const DATE = String.raw`\d{4}-\d\d-\d\d`;
const DONE_LINE = new RegExp(`^x (?:\\(([A-Z])\\) )?(?:(${DATE}) )?(?:(${DATE}) )?(.*)$`);
const OPEN_LINE = new RegExp(`^(?:\\(([A-Z])\\) )?(?:(${DATE}) )?(.*)$`);

/**
 * todo.txt: one task per line. Projects and contexts become tags and stay in the text. A task that was not changed in
 * ut is exported as its original line.
 */
export const todotxtFormat: Format = {
  name: 'todotxt',
  read(text, now) {
    const seen = new Map<string, number>();
    const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
    return lines.map((line) => {
      // The format has no ids. Equal lines are numbered, so that importing them again gives the same ids.
      const count = (seen.get(line) ?? 0) + 1;
      seen.set(line, count);
      return toTask(line, `todotxt ${count} ${line}`, now);
    });
  },
  write(tasks) {
    return {
      text: tasks.map((task) => `${toLine(task)}\n`).join(''),
      losses: [
        ...countOf(tasks.filter(isNative).length, 'the id and the time of day are not kept'),
        ...countOf(tasks.filter(({ text }) => text.includes('\n')).length, 'multi-line texts become one line'),
        ...countOf(
          tasks.filter((task) => isNative(task) && task.source !== undefined).length,
          'fields of another format are not kept',
        ),
        ...countOf(tasks.filter(({ tags }) => tags.some((tag) => /\s/.test(tag))).length, 'spaces in tags become _'),
      ],
    };
  },
};

function toTask(line: string, origin: string, now: string): Task {
  const parsed = parseLine(line);
  const text = checkedText(parsed.text === '' ? line : parsed.text);
  const created = parsed.created === undefined ? now : `${parsed.created}T00:00:00Z`;
  const id = taskId({ created: parsed.created ?? '', text, nonce: derivedNonce(origin) });
  const completed = parsed.completed === undefined ? {} : { completed: `${parsed.completed}T00:00:00Z` };
  const source = { format: 'todotxt', data: line };
  return { id, text, done: parsed.isDone, tags: tagsIn(text), created, ...completed, ...detailsIn(parsed), source };
}

/** Priority (A) is 1, (B) is 2 and so on. `due:2030-01-02` stays in the text. */
function detailsIn({ priority, text }: Line): TaskDetails {
  const [, due] = DUE.exec(text) ?? [];
  const letter = priority ?? (/(?:^|\s)pri:([A-Z])(?:\s|$)/u.exec(text) ?? [])[1];
  return {
    ...(due === undefined ? {} : { due }),
    ...(letter === undefined ? {} : { priority: LETTERS.indexOf(letter) + 1 }),
  };
}

const DUE = new RegExp(`(?:^|\\s)due:(${DATE})(?=\\s|$)`, 'u');
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

function parseLine(line: string): Line {
  const done = DONE_LINE.exec(line);
  if (done !== null) {
    const [, priority, completed, created, text = ''] = done;
    return { isDone: true, priority, completed, created, text };
  }
  const [, priority, created, text = ''] = OPEN_LINE.exec(line) ?? [];
  return { isDone: false, priority, completed: undefined, created, text };
}

/** Finds tags such as `+garden` and `@home` at the beginning of a word. */
function tagsIn(text: string): readonly string[] {
  const names = [...text.matchAll(/(?:^|\s)[+@](\S+)/g)].map(([, name = '']) => name.replaceAll(',', '_'));
  return normalizedTags(names);
}

function toLine(task: Task): string {
  const source = task.source?.format === 'todotxt' ? String(task.source.data) : undefined;
  const original = source === undefined ? undefined : parseLine(source);
  if (source !== undefined && original !== undefined && isUnchanged(task, source, original)) return source;
  const text = withDue(task.text.replaceAll(/\s*\n\s*/g, ' '), detailsOf(task).due);
  const named = new Set(tagsIn(text));
  const tags = task.tags.filter((tag) => !named.has(tag)).map((tag) => ` +${tag.replaceAll(/\s/g, '_')}`);
  const created = original === undefined ? task.created.slice(0, 10) : original.created;
  const details = detailsOf(task);
  const level = details.priority;
  const isKept = original !== undefined && detailsIn(original).priority === level;
  const letter = isKept ? original.priority : level === undefined ? undefined : (LETTERS[level - 1] ?? 'Z');
  const priority = letter === undefined ? undefined : `(${letter})`;
  const completed = task.done ? task.completed?.slice(0, 10) : undefined;
  // Omits the creation date of a done task without a completion date: other programs would read it as the completion
  // date.
  const dates = task.done && completed === undefined ? [] : [completed, created];
  return [task.done ? 'x' : undefined, priority, ...dates, text + tags.join('')]
    .filter((part) => part !== undefined)
    .join(' ');
}

function withDue(text: string, due: string | undefined): string {
  if (DUE.exec(text)?.[1] === due) return text;
  const without = text.replace(DUE, '').trim();
  return due === undefined ? without : `${without} due:${dueDay(due)}`;
}

function isUnchanged(task: Task, source: string, original: Line): boolean {
  const { due, priority } = detailsOf(task);
  const before = detailsIn(original);
  if (due !== before.due || priority !== before.priority) return false;
  const text = checkedText(original.text === '' ? source : original.text);
  const isSameState = task.done === original.isDone && task.completed?.slice(0, 10) === original.completed;
  return task.text === text && isSameState && task.tags.join() === tagsIn(text).join();
}

function isNative(task: Task): boolean {
  return task.source?.format !== 'todotxt';
}
