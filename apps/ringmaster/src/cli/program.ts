import { defineProgram } from '@holdfast/cli';

import { chat, summary } from './spec/chat.ts';
import { dep, graph, next, queue, rank, ready, why } from './spec/graph.ts';
import { answer, ask, decide } from './spec/inquiries.ts';
import { backup, cleanup, doctor, exportCommand, importCommand, maintain, restore } from './spec/maintenance.ts';
import { events, init, mcp, prime, project, status, undo } from './spec/project.ts';
import { claim, heartbeat, reap, report, worker } from './spec/queue.ts';
import { cancel, logs, merge, pause, resume, run } from './spec/run.ts';
import { prompt } from './spec/prompt.ts';
import { shared } from './spec/shared.ts';
import { task } from './spec/task.ts';

export const program = defineProgram({
  name: 'ringmaster',
  version: '0.1.0',
  summary: 'A task graph that dispatches coding workers and forgets nothing',
  sharedOptions: shared,
  commands: [
    init,
    status,
    project,
    task,
    dep,
    ready,
    next,
    why,
    queue,
    graph,
    rank,
    prompt,
    worker,
    claim,
    heartbeat,
    report,
    reap,
    run,
    logs,
    cancel,
    pause,
    resume,
    merge,
    chat,
    summary,
    decide,
    ask,
    answer,
    events,
    undo,
    importCommand,
    exportCommand,
    backup,
    restore,
    cleanup,
    maintain,
    doctor,
    mcp,
    prime,
  ],
});
