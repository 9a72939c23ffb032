import type { ReactNode } from 'react';

import type { Attempt, Iteration, ShownTask } from '../../../api/types.ts';
import { byteSize, dollars, duration } from '../../../lib/format.ts';
import { Badge, type Tone } from '../../../ui/badge.tsx';
import { Card } from '../../../ui/card.tsx';
import { type Moment, Timeline } from '../../../ui/timeline.tsx';

/** Attempts and their turns, latest first. */
export function Attempts({ shown: { attempts, iterations } }: { readonly shown: ShownTask }): ReactNode {
  if (attempts.length === 0) return null;
  const moments = attempts.toReversed().map((attempt): Moment => ({
    id: String(attempt.id),
    at: attempt.started_at,
    title: <Title attempt={attempt} />,
    detail: <Detail attempt={attempt} turns={iterations.filter(({ attempt_id: of }) => of === attempt.id)} />,
  }));
  return (
    <Card title="Attempts">
      <Timeline moments={moments} />
    </Card>
  );
}

const outcomes: Readonly<Record<string, { readonly tone: Tone; readonly word: string }>> = {
  succeeded: { tone: 'good', word: 'Succeeded' },
  review: { tone: 'changed', word: 'In review' },
  failed: { tone: 'bad', word: 'Failed' },
  blocked: { tone: 'warn', word: 'Blocked' },
  expired: { tone: 'warn', word: 'Expired' },
  released: { tone: 'cancelled', word: 'Released' },
};

function Title({
  attempt: { number, worker_id: worker, outcome, ended_at: ended },
}: {
  readonly attempt: Attempt;
}): ReactNode {
  const badge = ended === null ? { tone: 'busy' as const, word: 'Running' } : outcomes[outcome ?? ''];
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      Attempt {number}
      <Badge tone={badge?.tone ?? 'neutral'}>{badge?.word ?? outcome}</Badge>
      <span className="font-mono text-xs font-normal text-muted">{worker}</span>
    </span>
  );
}

function Detail({ attempt, turns }: { readonly attempt: Attempt; readonly turns: readonly Iteration[] }): ReactNode {
  const { reason, progress, failure_class: kind } = attempt;
  return (
    <div className="grid gap-1.5 text-[13px] text-muted">
      {reason !== null && (
        <p className="break-words whitespace-pre-wrap">{kind === null ? reason : `${kind}: ${reason}`}</p>
      )}
      {progress !== null && <p className="break-words">{progress}</p>}
      {turns.map((turn) => (
        <p key={turn.number} className="flex flex-wrap gap-x-3">
          <span>Turn {turn.number}</span>
          <span>{turn.result ?? 'running'}</span>
          {turn.ended_at !== null && (
            <span>{duration((Date.parse(turn.ended_at) - Date.parse(turn.started_at)) / 1_000)}</span>
          )}
          {turn.exit_code !== null && <span>exit {turn.exit_code}</span>}
          <span>{byteSize(turn.output_bytes)}</span>
          {turn.cost_usd !== null && <span>{dollars(turn.cost_usd)}</span>}
          {turn.failure !== null && <span className="w-full break-words">{turn.failure}</span>}
        </p>
      ))}
    </div>
  );
}
