import { defineCommand } from '@holdfast/cli';

import { type SettingName, settingNames, settingOfWords } from '../model/project-settings.ts';
import { addProject, listProjects, setProject, showProject } from '../operations/projects.ts';
import { command } from './command.ts';

/** A setting as a user would type it. */
function settingText(value: string | boolean | readonly string[]): string {
  if (typeof value !== 'object') return value === '' ? '-' : String(value);
  if (value.length === 0) return '-';
  return value.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word))).join(' ');
}

const show = command(showProject, {
  name: 'show',
  arguments: ['project'],
  print: (project, page) => {
    page.fields([
      ['id', project.id],
      ['name', project.name],
      ['description', project.description ?? ''],
      ['tech stack', project.tech_stack.join(', ')],
    ]);
    page.line();
    page.table(settingNames, [
      { heading: 'SETTING', value: (name) => name },
      { heading: 'VALUE', value: (name) => settingText(project.in_force[name]), flexible: true },
      { heading: 'FROM', value: (name) => (project.settings[name] === undefined ? 'ringmaster.toml' : 'project') },
    ]);
  },
});

const settingFields = [...settingNames];

const set = {
  ...command(setProject, {
    name: 'set',
    omit: settingFields,
    prepare: (input, { args }) => ({
      ...input,
      ...settingOfWords(args['setting'] as SettingName, args['value'] as readonly string[]),
    }),
    description: 'Only attempts that start later use the new value. Set a command to "" to run none.',
    examples: [
      {
        command: 'ringmaster project set test_command -- npm test --silent',
        summary: 'Set the test command of this project',
      },
      { command: 'ringmaster project set repository ../other', summary: 'Use another repository for this project' },
      { command: 'ringmaster project set auto_merge true', summary: 'Merge finished work automatically' },
    ],
    print: ({ id, in_force: inForce }, page, { args }) => {
      const name = args['setting'] as SettingName;
      page.line(`${id}: ${name} is ${settingText(inForce[name])}`);
    },
  }),
  arguments: [
    { name: 'setting', summary: 'Setting', choices: settingNames },
    { name: 'value', summary: 'New value; give the words of a command as separate arguments', variadic: true },
  ],
} as const;

const unset = {
  ...command(setProject, {
    name: 'unset',
    omit: settingFields,
    prepare: (input, { args }) => ({
      ...input,
      ...Object.fromEntries((args['settings'] as readonly string[]).map((name) => [name, null])),
    }),
    print: ({ id, in_force: inForce }, page, { args }) =>
      page.lines(
        (args['settings'] as readonly SettingName[]).map(
          (name) => `${id}: ${name} now comes from ringmaster.toml: ${settingText(inForce[name])}`,
        ),
      ),
  }),
  summary: 'Remove settings of a project, so that ringmaster.toml applies again',
  arguments: [{ name: 'settings', summary: 'Settings', choices: settingNames, variadic: true }],
} as const;

export const project = defineCommand({
  name: 'project',
  summary: 'Manage projects and their settings',
  commands: [
    command(addProject, {
      name: 'add',
      aliases: ['create'],
      arguments: ['name'],
      short: { description: 'd', tech_stack: 't' },
      flags: { tech_stack: 'tech' },
      print: ({ id }, page) => page.line(id),
    }),
    command(listProjects, {
      name: 'list',
      aliases: ['ls'],
      print: ({ data }, page) => {
        if (data.length === 0) return page.line("No projects. 'ringmaster project add NAME' adds one.");
        return page.table(data, [
          { heading: 'ID', value: ({ id }) => id },
          { heading: 'NAME', value: ({ name }) => name, flexible: true },
        ]);
      },
    }),
    show,
    set,
    unset,
  ],
});
