import { fileExists, inside, readText } from '../../adapters/files.ts';
import type { Candidate } from '../../model/prompt/choose.ts';
import { fenced } from '../../model/prompt/layout.ts';
import { cutToTokens, tokensOf } from '../../model/prompt/tokens.ts';
import type { Task } from '../../model/task.ts';
import { attemptsOf } from '../../store/attempts.ts';
import { dependenciesOf } from '../../store/dependencies.ts';
import { iterationsOf } from '../../store/iterations.ts';
import { existingTask } from '../../store/tasks.ts';
import type { Ringmaster } from '../ringmaster.ts';

/** Results of the task's dependencies: the end of their workers' output. */
export function resultCandidates(rm: Ringmaster, task: Task, maxTokens: number): Candidate[] {
  const tx = rm.store.reader;
  const finished = dependenciesOf(tx, task.id).filter(({ status }) => status === 'done' || status === 'failed');
  const share = Math.floor(maxTokens / Math.max(1, finished.length));
  return finished.map(({ parent_id, type }, index) => {
    const done = existingTask(tx, parent_id);
    const heading = `### ${done.id}: ${done.title} (${done.status}${done.completed_at === null ? '' : ` at ${done.completed_at}`})`;
    const output = outputOf(rm, done);
    return {
      source: 'results',
      name: done.id,
      score: type === 'blocks' ? 1 : 0.8,
      reason: `the task waited for it (${type})`,
      position: index,
      fit: (tokens) => {
        const room = Math.min(tokens, share) - tokensOf(heading) - 6;
        if (output === '' || room <= 0) return { text: heading, isCut: output !== '' };
        const { text, isCut } = cutToTokens(output, room, 'end');
        return { text: text === '' ? heading : `${heading}\n${fenced(text)}`, isCut };
      },
    };
  });
}

/** Returns the log of its last turn, if it still exists. */
function outputOf(rm: Ringmaster, task: Task): string {
  const tx = rm.store.reader;
  const paths = [
    iterationsOf(tx, task.id).findLast(({ log_path }) => log_path !== null)?.log_path,
    attemptsOf(tx, task.id).findLast(({ output_path }) => output_path !== null)?.output_path,
  ];
  const path = paths.find(
    (one) => one !== null && one !== undefined && fileExists(inside(rm.workspace.filesPath, one)),
  );
  return path === undefined || path === null ? '' : readText(inside(rm.workspace.filesPath, path)).trimEnd();
}
