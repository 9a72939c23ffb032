import type { Gate } from '../model/dependency.ts';
import { ringmasterErrors } from '../model/errors.ts';
import { deleteDependency, dependenciesOf, insertDependency } from '../store/dependencies.ts';
import { recordEvent } from '../store/events.ts';
import { activeTask, existingTask, type GraphLink, graphLinks, type GraphNode, graphNodes } from '../store/tasks.ts';
import { callOf, type Ringmaster } from './ringmaster.ts';

export interface NewDependency {
  readonly task: string;
  readonly depends_on: string;
  readonly type?: string | undefined;
  readonly gate?: Gate | undefined;
}

export interface AddedDependency {
  readonly task: string;
  readonly depends_on: string;
  readonly type: string;
  /** True if the link is new; false if it already existed. */
  readonly created: boolean;
}

const TYPE_CHARACTERS_MAX = 50;

export async function addDependency(rm: Ringmaster, input: NewDependency): Promise<AddedDependency> {
  const { task, depends_on, type = 'blocks', gate } = input;
  if (gate !== undefined && type !== 'waits-for') {
    throw ringmasterErrors.TEXT_INVALID(`Only a waits-for dependency can have a gate, not ${type}`);
  }
  if (type === '' || type.length > TYPE_CHARACTERS_MAX) {
    throw ringmasterErrors.TEXT_INVALID(`A dependency type must have 1 to ${TYPE_CHARACTERS_MAX} characters`);
  }
  const call = callOf(rm);
  return rm.store.write(`dep add ${task} ${depends_on}`, (tx) => {
    activeTask(tx, task);
    activeTask(tx, depends_on);
    const link = { child_id: task, parent_id: depends_on, type, gate };
    const created = insertDependency(tx, link, call.actor.id, call.now);
    if (created) {
      recordEvent(tx, call, {
        type: 'dependency_added',
        entity: 'task',
        id: task,
        after: { parent_id: depends_on, type },
      });
    }
    return { task, depends_on, type, created };
  });
}

export function removeDependency(
  rm: Ringmaster,
  { task, depends_on, type }: Omit<NewDependency, 'gate'>,
): Promise<Omit<NewDependency, 'gate' | 'type'>> {
  const call = callOf(rm);
  return rm.store.write(`dep rm ${task} ${depends_on}`, (tx) => {
    existingTask(tx, task);
    if (deleteDependency(tx, task, depends_on, type) === 0) {
      throw ringmasterErrors.DEPENDENCY_NOT_FOUND(`${task} does not depend on ${depends_on}`);
    }
    const before = { parent_id: depends_on, type: type ?? null };
    recordEvent(tx, call, { type: 'dependency_removed', entity: 'task', id: task, before });
    return { task, depends_on };
  });
}

export interface TreeNode {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly type: string | undefined;
  /** True if the task is already shown above; its dependencies are not repeated. */
  readonly repeated: boolean;
  readonly dependencies: readonly TreeNode[];
}

const DEPTH_MAX = 100;

export function dependencyTree({ store }: Ringmaster, { task }: { readonly task: string }): TreeNode {
  const shown = new Set<string>();
  const visit = (id: string, type: string | undefined, depth: number): TreeNode => {
    const { title, status } = existingTask(store.reader, id);
    const repeated = shown.has(id) || depth > DEPTH_MAX;
    shown.add(id);
    const below = repeated ? [] : dependenciesOf(store.reader, id);
    const dependencies = below.map((link) => visit(link.parent_id, link.type, depth + 1));
    return { id, title, status, type, repeated, dependencies };
  };
  return visit(task, undefined, 0);
}

interface Graph {
  readonly nodes: readonly (Omit<GraphNode, 'on_critical_path'> & { readonly on_critical_path: boolean })[];
  readonly edges: readonly GraphLink[];
}

export interface DrawOptions {
  readonly project?: string | undefined;
  readonly all: boolean;
  readonly format: 'mermaid' | 'dot' | 'json';
}

export function drawGraph(
  { store }: Ringmaster,
  { project, all, format }: DrawOptions,
): Graph & { readonly text: string } {
  const nodes = graphNodes(store.reader, project, all).map((node) => ({
    ...node,
    on_critical_path: node.on_critical_path === 1,
  }));
  const known = new Set(nodes.map(({ id }) => id));
  const parents = nodes.flatMap(({ id, parent_id }) =>
    parent_id === null ? [] : [{ from: id, to: parent_id, type: 'part-of' }],
  );
  const edges = [...graphLinks(store.reader), ...parents].filter(({ from, to }) => known.has(from) && known.has(to));
  const graph = { nodes, edges };
  return { ...graph, text: { mermaid, dot, json: () => '' }[format](graph) };
}

/** Returns the graph as a Mermaid diagram. Arrows lead from a dependency to the task that depends on it. */
function mermaid({ nodes, edges }: Graph): string {
  const names = new Map(nodes.map(({ id }, index) => [id, `n${index}`]));
  const lines = [
    'graph TD',
    ...nodes.map(({ id, title, status }) => `  ${names.get(id)}["${label(`${id}: ${title}`)}"]:::${status}`),
    ...edges.map(({ from, to, type }) => {
      const arrow = type === 'blocks' ? '-->' : `-.->|${label(type)}|`;
      return `  ${names.get(to)} ${arrow} ${names.get(from)}`;
    }),
    '  classDef done fill:#cfc',
    '  classDef failed fill:#fcc',
    '  classDef in_progress fill:#ccf',
    '  classDef assigned fill:#ccf',
    '  classDef blocked fill:#fec',
  ];
  return `${lines.join('\n')}\n`;
}

function dot({ nodes, edges }: Graph): string {
  const lines = [
    'digraph tasks {',
    ...nodes.map(({ id, title }) => `  ${JSON.stringify(id)} [label=${JSON.stringify(`${id}\n${title}`)}];`),
    ...edges.map(({ from, to, type }) => {
      const style = type === 'blocks' ? '' : ` [style=dashed, label=${JSON.stringify(type)}]`;
      return `  ${JSON.stringify(to)} -> ${JSON.stringify(from)}${style};`;
    }),
    '}',
  ];
  return `${lines.join('\n')}\n`;
}

/** Mermaid can only escape quotes as entities. */
function label(text: string): string {
  return text.replaceAll('&', '#amp;').replaceAll('"', '#quot;').replaceAll('\n', ' ');
}
