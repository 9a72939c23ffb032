/** Returns the candidate that `word` most likely misspells; undefined if it differs too much from all of them. */
export function closest(word: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  let fewest = Math.max(1, Math.floor(word.length * 0.4)) + 1;
  for (const candidate of candidates) {
    const mistakes = typingMistakes(word, candidate);
    if (mistakes < fewest) {
      best = candidate;
      fewest = mistakes;
    }
  }
  return best;
}

/** Counts letters that were added, left out, changed, or swapped with their neighbour (optimal string alignment). */
export function typingMistakes(typed: string, meant: string): number {
  let beforePrevious: readonly number[] = [];
  let previous: readonly number[] = Array.from({ length: meant.length + 1 }, (_, column) => column);
  for (let row = 1; row <= typed.length; row += 1) {
    const current: number[] = [row];
    for (let column = 1; column <= meant.length; column += 1) {
      const isSame = typed[row - 1] === meant[column - 1];
      const added = at(current, column - 1) + 1;
      const leftOut = at(previous, column) + 1;
      const changed = at(previous, column - 1) + (isSame ? 0 : 1);
      const isSwapped = typed[row - 1] === meant[column - 2] && typed[row - 2] === meant[column - 1];
      const swapped = row > 1 && column > 1 && isSwapped ? at(beforePrevious, column - 2) + 1 : Infinity;
      current.push(Math.min(added, leftOut, changed, swapped));
    }
    beforePrevious = previous;
    previous = current;
  }
  return at(previous, meant.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
