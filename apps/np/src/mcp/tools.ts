import type { Tool } from '@holdfast/cli/mcp';
import type { Np } from '../service/np.ts';
import { type Place, sessionTools } from './session-tools.ts';
import { taskTools } from './task-tools.ts';

/** Seven tools and no more: each one costs every conversation its description. */
export function tools(np: Np, place: Place): readonly Tool[] {
  return [...sessionTools(np, place), ...taskTools(np, place.where)];
}
