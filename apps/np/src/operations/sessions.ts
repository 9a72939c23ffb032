import {
  boolean,
  choice,
  flag,
  integer,
  json,
  list,
  nullable,
  object,
  optional,
  pageFields,
  pageOf,
  text,
  withDefault,
} from '@holdfast/operation';
import { npErrors } from '../model/errors.ts';
import { eventObject } from '../model/event.ts';
import { checkExport, exportFields } from '../model/exported.ts';
import { count, STATUSES, storedText } from '../model/plan.ts';
import { checkActor } from '../model/text.ts';
import {
  actor,
  changeObject,
  changing,
  countsObject,
  defineOperation,
  goalObject,
  plan,
  planObject,
  reason,
  sessionObject,
} from './objects.ts';

const read = 'app:np:read';
const write = 'app:np:write';
const missing = [npErrors.SESSION_NOT_FOUND, npErrors.SESSION_AMBIGUOUS];
const ownDirectory = 'An agent uses only the session of its directory';
const machineOwner = 'Shows the raw storage, which belongs to the owner of the machine';

export const startSession = defineOperation({
  name: 'session.start',
  summary: 'Start a session for this directory',
  permission: write,
  input: {
    directory: optional(
      text('Directory of the session; must exist on this machine, unless `elsewhere` is true', { min: 1, max: 4_096 }),
    ),
    elsewhere: flag('The directory is on another machine; give its absolute path'),
    actor,
    plan: optional(
      text(
        'Markdown plan: its first heading becomes the goal, its checklist items (- [ ], - [x]) become tasks. On ' +
          'the command line: a file, or - for standard input',
        { label: 'file' },
      ),
    ),
  },
  errors: [npErrors.SESSION_EXISTS, npErrors.IMPORT_INVALID, npErrors.DIRECTORY_GONE],
  output: object({
    session: sessionObject,
    created: boolean('False if the directory already had an active session'),
    shadows: nullable(sessionObject),
    tasks_added: count,
  }),
  run: async () => {
    const { canonicalDirectory, directoryElsewhere } = await import('../adapters/files.ts');
    const { startSession: start } = await import('../service/sessions.ts');
    return async (target, { directory: chosen, elsewhere, actor: who, plan: markdown }, { via: cmd, name }) => {
      const { np } = target;
      const canonical = elsewhere ? directoryElsewhere : canonicalDirectory;
      const directory = chosen === undefined ? target.directory : canonical(chosen);
      const call = { directory, cmd, actor: checkActor(who ?? name), plan: markdown };
      const { session, isNew: created, shadows, tasksAdded } = await start(np, call);
      return { session, created, shadows: shadows ?? null, tasks_added: tasksAdded ?? 0 };
    };
  },
});

export const archiveSession = defineOperation({
  name: 'session.archive',
  summary: 'Archive the session: keep its plan and free the directory for a new session',
  permission: write,
  input: {
    sid: optional(text('Session id; default: the session of this directory')),
    undo: flag('Reactivate an archived session instead'),
    actor,
    reason,
  },
  output: object({ session: sessionObject, changed: boolean('False if the session already had this state') }),
  errors: [...missing, npErrors.SESSION_EXISTS],
  run: async () => {
    const { archiveSession: archive, unarchiveSession: unarchive } = await import('../service/sessions.ts');
    return async ({ np, where }, { sid, undo, actor: who, reason: why }, { via: cmd, name }) => {
      const call = { where: sid === undefined ? where : { sid }, cmd, actor: checkActor(who ?? name), reason: why };
      const { session, isNew: changed } = await (undo ? unarchive : archive)(np, call);
      return { session, changed };
    };
  },
});

export const listSessions = defineOperation({
  name: 'session.list',
  summary: 'List sessions, newest first; active sessions come before archived ones',
  permission: read,
  input: {
    ...pageFields,
    state: withDefault(choice(['active', 'archived', 'all'], 'Only sessions in this state'), 'all'),
    dir: optional(text('Only sessions of this directory', { label: 'path' })),
    search: withDefault(text('Only sessions with this text in their directory, goal or id', { max: 1_000 }), ''),
  },
  output: pageOf(object({ session: sessionObject, goal: nullable(goalObject), counts: countsObject })),
  absent: { mcp: ownDirectory },
  run: async () => {
    const { listSessions: listAll } = await import('../service/sessions.ts');
    return async ({ np }, { dir: directory, ...input }) => {
      const { items: data, cursor = null } = await listAll(np, { ...input, directory });
      return { data, next_cursor: cursor };
    };
  },
});

export const showPlan = defineOperation({
  name: 'plan.show',
  summary: 'Show the plan: goal, tasks and counts',
  permission: read,
  input: {
    status: optional(choice(STATUSES, 'Only tasks with this status')),
    recent: withDefault(integer('Number of recent changes to include', { min: 0, max: 100 }), 0),
  },
  output: planObject,
  errors: missing,
  run: async () => {
    const { showPlan: show } = await import('../service/plan.ts');
    return ({ np, where }, input) => show(np, where, input);
  },
});

export const showGoal = defineOperation({
  name: 'goal.show',
  summary: 'Show the goal',
  permission: read,
  input: {},
  output: object({ sid: storedText, goal: goalObject }),
  errors: [...missing, npErrors.NO_GOAL],
  absent: { mcp: 'show_plan includes the goal' },
  run: async () => {
    const { showGoal: show } = await import('../service/plan.ts');
    return ({ np, where }) => show(np, where);
  },
});

const goalErrors = [...missing, npErrors.SESSION_ARCHIVED, npErrors.TEXT_INVALID, npErrors.TEXT_TOO_LONG];

export const setGoal = defineOperation({
  name: 'goal.set',
  summary: 'Set the goal',
  permission: write,
  input: {
    title: text('What to achieve'),
    description: withDefault(text('Details and references'), ''),
    actor,
    reason,
    plan,
  },
  output: changeObject,
  errors: [...goalErrors, npErrors.GOAL_EXISTS],
  run: changing(async () => (await import('../service/plan.ts')).setGoal),
});

export const updateGoal = defineOperation({
  name: 'goal.update',
  summary: 'Reword the goal; requires a reason',
  permission: write,
  input: { title: optional(text('New title')), description: optional(text('New description')), actor, reason, plan },
  output: changeObject,
  errors: [...goalErrors, npErrors.NO_GOAL, npErrors.REASON_REQUIRED],
  run: changing(async () => (await import('../service/plan.ts')).updateGoal),
});

export const undoChange = defineOperation({
  name: 'plan.undo',
  summary: 'Undo your last change to the plan, unless others have changed the same tasks since',
  permission: write,
  input: { actor, plan },
  output: changeObject,
  errors: [...missing, npErrors.SESSION_ARCHIVED, npErrors.NOTHING_TO_UNDO, npErrors.UNDO_CONFLICT],
  absent: { mcp: 'Agents correct a change by making another one' },
  run: changing(async () => (await import('../service/undo.ts')).undoLastChange),
});

export const readLog = defineOperation({
  name: 'log.read',
  summary: 'Show what happened in a session, and why',
  permission: read,
  input: {
    ...pageFields,
    cursor: optional(
      text('Position to continue from: next_cursor of the previous page, or the number of an event', { max: 15 }),
    ),
    order: withDefault(choice(['oldest', 'newest'], 'Show the oldest or the newest events first'), 'oldest'),
  },
  output: pageOf(eventObject),
  errors: missing,
  run: async () => {
    const { readLogPage } = await import('../service/log.ts');
    return ({ np, where }, input) => readLogPage(np, where, input);
  },
});

export const readGlobalLog = defineOperation({
  name: 'log.all',
  summary: 'Show the latest events in all sessions',
  permission: read,
  input: { limit: pageFields.limit },
  output: list(object({ sid: storedText, event: eventObject })),
  absent: { cli: "'np log --all' shows them", mcp: ownDirectory },
  run: async () => {
    const { readGlobalLog: readAll } = await import('../service/log.ts');
    return ({ np }, { limit }) => readAll(np, limit);
  },
});

export const exportSession = defineOperation({
  name: 'session.export',
  summary: 'Export the plan and its log as one document',
  permission: read,
  input: {},
  output: object(exportFields),
  errors: missing,
  absent: { mcp: 'A whole log is too long for a conversation' },
  run: async () => {
    const { exportSession: exportOne } = await import('../service/sessions.ts');
    return ({ np, where }) => exportOne(np, where);
  },
});

export const importSession = defineOperation({
  name: 'session.import',
  summary: 'Import a session from a JSON export into this directory',
  permission: write,
  input: {
    document: json('Session export. On the command line: a file, or - for standard input'),
    archived: flag('Import the session as archived'),
  },
  output: planObject,
  errors: [npErrors.IMPORT_INVALID, npErrors.SESSION_EXISTS],
  absent: {
    http: 'A session belongs to a directory on the machine where the work is done',
    mcp: 'A whole log is too long for a conversation',
  },
  run: async () => {
    const { importSession: importOne } = await import('../service/sessions.ts');
    const { showPlan: show } = await import('../service/plan.ts');
    return async ({ np, directory }, { document, archived: asArchived }) => {
      const { sid } = await importOne(np, { exported: checkExport(document), directory, asArchived });
      return show(np, { sid });
    };
  },
});

export const listKeys = defineOperation({
  name: 'store.keys',
  summary: 'Show the stored keys and values; binary values as hexadecimal digits',
  permission: read,
  input: { prefix: withDefault(text('Only keys that start with this prefix'), '') },
  output: list(object({ key: storedText, value: json(), encoding: choice(['json', 'text', 'hex']) })),
  absent: { http: machineOwner, mcp: machineOwner },
  run: async () => {
    const { listKeys: listAll } = await import('../service/verify.ts');
    return ({ np }, { prefix }) => listAll(np, prefix);
  },
});

export const verifyStore = defineOperation({
  name: 'store.verify',
  summary: 'Check every index, count and log against the records',
  permission: write,
  input: { repair: flag('Repair what can be repaired') },
  output: object({
    keys: count,
    records: count,
    indexes: count,
    problems: list(object({ kind: text(), key: storedText, detail: storedText, repaired: boolean() })),
  }),
  absent: { http: machineOwner, mcp: machineOwner },
  run: async () => {
    const { verify } = await import('../service/verify.ts');
    return ({ np }, { repair }) => verify(np, repair);
  },
});
