/** Parent folders of a key, outermost first. */
function above(key: string): string[] {
  const found: string[] = [];
  for (let end = key.indexOf('/'); end >= 0; end = key.indexOf('/', end + 1)) found.push(key.slice(0, end));
  return found;
}

/**
 * Paths in use. Two paths conflict if they are equal or one is below the other: a file in a folder that is being moved
 * waits for the move, but its siblings do not wait for each other.
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
