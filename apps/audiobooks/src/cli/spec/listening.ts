import { type CommandSpec, defineCommand } from '@holdfast/cli';
import { playlist } from './playlists.ts';
import { page, user } from './shared.ts';

const stats = defineCommand({
  name: 'stats',
  summary: 'What was listened to; rebuild counts everything again',
  description: 'Without a user: how much everybody listened. Rebuild changes nothing unless a counter was wrong.',
  arguments: [{ name: 'action', summary: 'rebuild, or nothing to look', optional: true, choices: ['rebuild'] }],
  options: {
    ...user,
    from: { type: 'string', summary: 'First day, as 2026-01-31; a year ago if left out', value: 'date' },
    to: { type: 'string', summary: 'Last day; today if left out', value: 'date' },
    timeZone: {
      type: 'string',
      summary: 'Whose days, as Europe/Berlin; those of this machine if left out',
      value: 'zone',
    },
  },
  load: () => import('../commands/stats.ts'),
});

const prune = defineCommand({
  name: 'prune',
  summary: 'Remove old playback events; their counts are kept, and no total changes',
  options: {
    keepDays: { type: 'integer', summary: 'Events of so many days stay', default: 365, min: 0, max: 36_500 },
    keepEvents: { type: 'integer', summary: 'And the last so many of each book', default: 100, min: 1, max: 1_000_000 },
  },
  load: () => import('../commands/prune.ts'),
});

const progress = defineCommand({
  name: 'progress',
  summary: 'Where somebody is in their books, the latest first',
  options: { ...user, ...page },
  load: () => import('../commands/progress.ts'),
});

export const listening: readonly CommandSpec[] = [stats, progress, playlist, prune];
