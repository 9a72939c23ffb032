import { utaskErrors } from './errors.ts';

/** Number of states kept per task, for `ut log` and `ut undo`. */
export const TASK_HISTORY = 16;

export interface BucketNames {
  readonly tasks: string;
  readonly tags: string;
}

/**
 * utask's design document calls the buckets `utask.tasks` and `utask.tags`, but NATS allows no dots in bucket names.
 */
export function bucketNames(profile: string | undefined): BucketNames {
  if (profile === undefined || profile === '') return { tasks: 'utask_tasks', tags: 'utask_tags' };
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(profile))
    throw utaskErrors.BAD_PROFILE(`"${profile}" is not a valid profile name.`);
  return { tasks: `utask_tasks_${profile}`, tags: `utask_tags_${profile}` };
}

/**
 * Returns whether NATS allows the key. A key that NATS does not allow must not be read, because a wildcard would match
 * other keys.
 */
export function isBucketKey(key: string): boolean {
  return /^(?!\.)[-/_=.a-zA-Z0-9]{1,1000}(?<!\.)$/.test(key);
}
