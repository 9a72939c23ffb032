/** Colours for terminals, unless turned off; FORCE_COLOR enables them anywhere. */

export interface ColourRequest {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isTerminal: boolean;
  /** False with `--no-color`. */
  readonly isWanted: boolean;
}

export function usesColour({ env, isTerminal, isWanted }: ColourRequest): boolean {
  if (!isWanted || isSet(env['NO_COLOR'])) return false;
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return isTerminal && env['TERM'] !== 'dumb';
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}
