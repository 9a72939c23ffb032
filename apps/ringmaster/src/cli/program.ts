import { VERSION } from '@holdfast/base';
import { defineProgram } from '@holdfast/cli';

import { shared } from './command.ts';
import { dep, graph, next, queue, rank, ready, why } from './graph.ts';
import { importCommand } from './import.ts';
import { answer, askQuestion, decide, inbox, inquiries } from './inquiries.ts';
import { backup, cleanup, doctor, exportCommand, maintain, restore } from './maintenance.ts';
import { project } from './projects.ts';
import { prompt } from './prompts.ts';
import { claim, heartbeat, reap, report } from './queue.ts';
import { attach, chat, init, logs, mcp, run, setup } from './run.ts';
import { cancel, merge, pr, task } from './tasks.ts';
import { pause, resume, stop, worker } from './workers.ts';
import { events, metrics, prime, status, summary, undo } from './workspace.ts';

export const program = defineProgram({
  name: 'ringmaster',
  version: VERSION,
  summary: 'Run coding agents on a graph of tasks and record everything they do',
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
    stop,
    attach,
    logs,
    cancel,
    pause,
    resume,
    merge,
    pr,
    chat,
    summary,
    inbox,
    inquiries,
    decide,
    askQuestion,
    answer,
    events,
    metrics,
    undo,
    importCommand,
    exportCommand,
    backup,
    restore,
    cleanup,
    maintain,
    doctor,
    setup,
    mcp,
    prime,
  ],
});
