import type { Explanation } from '../../service/why.ts';

export function explanationLines(one: Explanation): string[] {
  const { terms } = one;
  return [
    `${one.id} ${one.title}`,
    one.queue_position === null
      ? 'Cannot begin:'
      : `Number ${one.queue_position} of what is ready; score ${one.score.toFixed(3)}`,
    ...one.holds.map((reason) => `  ${reason}`),
    part('how much depends on it (PageRank)', terms.pagerank),
    part('how many ways lead through it (betweenness)', terms.betweenness),
    part('on the critical path', terms.critical),
    part('the priority it was given', terms.manual),
    ...(terms.aging === 0 ? [] : [part('how long it has waited', terms.aging)]),
    `= ${one.own.toFixed(3)}${one.inherited_from === null ? '' : `, raised to ${one.combined.toFixed(3)} by ${one.inherited_from}, which waits for it`}`,
    ...(one.score === one.combined ? [] : [readyLine(one)]),
    ...(one.is_current ? [] : ["Ranks are of an earlier graph: 'ringmaster rank' brings them up to date"]),
    ...(one.is_approximate ? ['Betweenness is estimated from a sample'] : []),
  ];
}

function readyLine({ score, combined }: Explanation): string {
  return `× ${Number((score / combined).toFixed(3))} because it may begin now = ${score.toFixed(3)}`;
}

function part(name: string, value: number): string {
  return `  ${value.toFixed(3)}  ${name}`;
}
