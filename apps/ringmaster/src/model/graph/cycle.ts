/**
 * Cycle detection. A task also waits for everything that its parent waits for. So parent links count as edges like
 * dependencies, and a cycle through either kind would block its tasks forever.
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

/** The cycle as text, such as `a → b → a`. `path` leads from the dependency back to `child`. */
export function cycleText(child: string, path: readonly string[]): string {
  return [child, ...path].join(' → ');
}

/**
 * Accepts links one by one and rejects those that would close a cycle. Maintains a topological order (algorithm of
 * Pearce and Kelly), so that checking most links needs no search.
 */
export class AcyclicLinks {
  readonly #forward = new Map<string, string[]>();
  readonly #backward = new Map<string, string[]>();
  readonly #order = new Map<string, number>();

  /** Returns undefined if the link was accepted, otherwise the cycle that it would close. */
  add(child: string, parent: string): string[] | undefined {
    const low = this.#rank(parent);
    const high = this.#rank(child);
    if (child === parent) return [child];
    if (low > high) {
      const found = this.#search(parent, this.#forward, (rank) => rank >= high);
      if (found.has(child)) return findPath(parent, child, (id) => this.#forward.get(id) ?? []) ?? [parent, child];
      this.#reorder(
        found,
        this.#search(child, this.#backward, (rank) => rank <= low),
      );
    }
    append(this.#forward, child, parent);
    append(this.#backward, parent, child);
    return undefined;
  }

  /** Position in the topological order, in which dependencies come first. */
  #rank(id: string): number {
    let rank = this.#order.get(id);
    if (rank === undefined) {
      rank = this.#order.size;
      this.#order.set(id, rank);
    }
    return rank;
  }

  #search(from: string, edges: ReadonlyMap<string, string[]>, within: (rank: number) => boolean): Set<string> {
    const found = new Set([from]);
    for (const id of found) {
      for (const other of edges.get(id) ?? []) if (within(this.#rank(other))) found.add(other);
    }
    return found;
  }

  /** Moves the parent's dependencies before the child's dependents. Uses only the positions that they already had. */
  #reorder(below: ReadonlySet<string>, above: ReadonlySet<string>): void {
    const byRank = (left: string, right: string): number => this.#rank(left) - this.#rank(right);
    const sorted = [...[...below].sort(byRank), ...[...above].sort(byRank)];
    const ranks = sorted.map((id) => this.#rank(id)).sort((left, right) => left - right);
    sorted.forEach((id, index) => this.#order.set(id, ranks[index] ?? index));
  }
}

function append(edges: Map<string, string[]>, from: string, to: string): void {
  const list = edges.get(from);
  if (list === undefined) edges.set(from, [to]);
  else list.push(to);
}
