/**
 * Cycle detection. A task also waits for everything that its parent waits for. So parent links are edges too, and a
 * cycle of dependencies and parent links would block its tasks forever.
 */
export type Waits = (id: string) => Iterable<string>;

/** Returns the shortest path along `waits`, both ends included; undefined if there is none. */
export function findPath(from: string, to: string, waits: Waits): string[] | undefined {
  const cameFrom = new Map<string, string | undefined>([[from, undefined]]);
  let frontier = [from];
  while (frontier.length > 0) {
    const next: string[] = [];
    for (const id of frontier) {
      if (id === to) return pathTo(cameFrom, to);
      for (const other of waits(id)) {
        if (cameFrom.has(other)) continue;
        cameFrom.set(other, id);
        next.push(other);
      }
    }
    frontier = next;
  }
  return undefined;
}

function pathTo(cameFrom: ReadonlyMap<string, string | undefined>, to: string): string[] {
  const path: string[] = [];
  for (let id: string | undefined = to; id !== undefined; id = cameFrom.get(id)) path.push(id);
  return path.reverse();
}

/** Returns the cycle as text, such as `a → b → a`. `path` leads from the dependency back to `child`. */
export function cycleText(child: string, path: readonly string[]): string {
  return [child, ...path].join(' → ');
}

/**
 * Accepts links one by one and rejects those that would close a cycle. Maintains a topological order (algorithm of
 * Pearce and Kelly), so that checking most links needs no search. Tasks are numbered, because arrays of numbers take
 * much less memory and time than maps of lists.
 */
export class AcyclicLinks {
  readonly #numbers = new Map<string, number>();
  readonly #ids: string[] = [];
  readonly #forward = new Edges();
  readonly #backward = new Edges();
  /** Position of each task in the topological order, in which dependencies come first. */
  readonly #ranks: number[] = [];

  /** Returns undefined if the link was accepted, otherwise the cycle that it would close. */
  add(childId: string, parentId: string): string[] | undefined {
    const parent = this.#numberOf(parentId);
    const child = this.#numberOf(childId);
    if (child === parent) return [childId];
    const low = this.#rank(parent);
    const high = this.#rank(child);
    if (low > high) {
      const found = this.#search(parent, this.#forward, (rank) => rank >= high);
      if (found.has(child)) return this.#pathBetween(parentId, childId);
      this.#reorder(
        found,
        this.#search(child, this.#backward, (rank) => rank <= low),
      );
    }
    this.#forward.add(child, parent);
    this.#backward.add(parent, child);
    return undefined;
  }

  #numberOf(id: string): number {
    let number = this.#numbers.get(id);
    if (number === undefined) {
      number = this.#ids.push(id) - 1;
      this.#numbers.set(id, number);
      this.#ranks.push(number);
    }
    return number;
  }

  #rank(task: number): number {
    return this.#ranks[task] ?? 0;
  }

  #pathBetween(from: string, to: string): string[] {
    const waits = (id: string): string[] => this.#forward.of(this.#numberOf(id)).map((task) => this.#ids[task] ?? '');
    return findPath(from, to, waits) ?? [from, to];
  }

  #search(from: number, edges: Edges, within: (rank: number) => boolean): Set<number> {
    const found = new Set([from]);
    for (const task of found) {
      for (const other of edges.of(task)) if (within(this.#rank(other))) found.add(other);
    }
    return found;
  }

  /**
   * Moves the parent's dependencies before the child's dependents. These tasks exchange positions only among
   * themselves.
   */
  #reorder(below: ReadonlySet<number>, above: ReadonlySet<number>): void {
    const byRank = (left: number, right: number): number => this.#rank(left) - this.#rank(right);
    const sorted = [...[...below].sort(byRank), ...[...above].sort(byRank)];
    const ranks = sorted.map((task) => this.#rank(task)).sort((left, right) => left - right);
    sorted.forEach((task, index) => (this.#ranks[task] = ranks[index] ?? index));
  }
}

/** The edges of each task as a linked list in three arrays. */
class Edges {
  /** The latest edge of each task. */
  readonly #latest: number[] = [];
  /** For each edge: the task that it leads to, and the previous edge of its task (-1 if there is none). */
  readonly #targets: number[] = [];
  readonly #earlier: number[] = [];

  add(from: number, to: number): void {
    while (this.#latest.length <= from) this.#latest.push(-1);
    this.#earlier.push(this.#latest[from] ?? -1);
    this.#latest[from] = this.#targets.push(to) - 1;
  }

  of(from: number): number[] {
    const targets: number[] = [];
    for (let edge = this.#latest[from] ?? -1; edge >= 0; edge = this.#earlier[edge] ?? -1) {
      targets.push(this.#targets[edge] ?? -1);
    }
    return targets.reverse();
  }
}
