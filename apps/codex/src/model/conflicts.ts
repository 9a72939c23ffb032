/** The folders above a key, the outermost first. */
function above(key: string): string[] {
  const found: string[] = [];
  for (let end = key.indexOf('/'); end >= 0; end = key.indexOf('/', end + 1)) found.push(key.slice(0, end));
  return found;
}

/**
 * Paths that are in use. Two paths are in each other's way when they are equal or one lies below the other: a file in a
 * folder that is being moved has to wait for the move, its neighbour in the same folder does not have to wait for it.
 */
export class BusyPaths {
  readonly #taken = new Set<string>();
  readonly #above = new Set<string>();

  add(key: string): void {
    this.#taken.add(key);
    for (const folder of above(key)) this.#above.add(folder);
  }

  collides(key: string): boolean {
    return this.#taken.has(key) || this.#above.has(key) || above(key).some((folder) => this.#taken.has(folder));
  }
}
