import type { CommandContext } from '@holdfast/cli';
import type { Configuration } from '../adapters/configuration.ts';
import { LocalState } from '../adapters/local-state.ts';
import type { Change } from '../service/history.ts';

/** What `ut undo` takes back. */
export function lastChange(config: Configuration): readonly Change[] | undefined {
  return stateOf(config).read();
}

/** What changed nothing is nothing to take back: the change before it stays the last one. */
export function rememberChanges({ note }: CommandContext, config: Configuration, changes: readonly Change[]): void {
  if (changes.length === 0 || stateOf(config).write(changes)) return;
  note("This could not be noted in the data home, so 'ut undo' needs an id to take it back.");
}

function stateOf(config: Configuration): LocalState<readonly Change[]> {
  return new LocalState('last-change', config);
}
