import { type CommandSpec, commandsFor } from '@holdfast/cli';

import { type Everything, find, listActivity, showInbox } from '../operations/overview.ts';

const command = commandsFor<Everything>({
  shared: {},
  open: async () => (await import('./with-overviews.ts')).withOverviews,
});

const GROUP = 'Applications';

function missing(unavailable: readonly string[]): readonly string[] {
  return unavailable.length === 0 ? [] : [`These applications did not answer: ${unavailable.join(', ')}`];
}

const findCommand = command(find, {
  name: 'find',
  group: GROUP,
  arguments: ['q'],
  examples: [{ command: 'holdfast find "invoice march" --json', summary: 'Search all applications' }],
  print: ({ data, unavailable }, page) => {
    if (data.length === 0) page.line('Nothing found.');
    else
      page.table(data, [
        { heading: 'KIND', value: ({ kind }) => kind },
        { heading: 'TITLE', value: ({ title }) => title, flexible: true },
        { heading: 'STATE', value: ({ state }) => state ?? '' },
        { heading: 'ID', value: ({ id }) => id },
      ]);
    for (const line of missing(unavailable)) page.line(line);
  },
});

const inboxCommand = command(showInbox, {
  name: 'inbox',
  group: GROUP,
  omit: ['snoozed'],
  examples: [{ command: 'holdfast inbox --json', summary: 'Print the inbox as JSON, with the actions of each item' }],
  print: ({ data, unavailable }, page) => {
    if (data.length === 0) page.line('Nothing is waiting for you.');
    else
      page.table(data, [
        { heading: 'APPLICATION', value: ({ app }) => app },
        { heading: 'WHY', value: ({ kind }) => kind.replaceAll('_', ' ') },
        { heading: 'WHAT', value: ({ title }) => title, flexible: true },
        { heading: 'SINCE', value: ({ since }) => since ?? '' },
      ]);
    for (const line of missing(unavailable)) page.line(line);
  },
});

const activityCommand = command(listActivity, {
  name: 'activity',
  group: GROUP,
  short: { limit: 'n' },
  print: ({ data, unavailable }, page) => {
    if (data.length === 0) page.line('No changes yet.');
    else
      page.table(data, [
        { heading: 'TIME', value: ({ at }) => at },
        { heading: 'WHO', value: ({ who }) => who ?? '' },
        { heading: 'WHAT', value: ({ text, title }) => `${text} ${title}`, flexible: true },
        { heading: 'APPLICATION', value: ({ app }) => app },
      ]);
    for (const line of missing(unavailable)) page.line(line);
  },
});

export const overviewCommands: readonly CommandSpec[] = [findCommand, inboxCommand, activityCommand];
