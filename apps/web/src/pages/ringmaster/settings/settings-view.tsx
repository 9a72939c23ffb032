import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { ringmasterApi } from '../../../api/clients.ts';
import { projectSettingsQuery } from '../../../api/ringmaster-queries.ts';
import type { SettingChanges, ShownSettings, Workspace } from '../../../api/types.ts';
import { useAction } from '../../../api/use-action.ts';
import { useMay } from '../../../lib/permissions.ts';
import { Button } from '../../../ui/button.tsx';
import { Choice, Field, Form, TextArea } from '../../../ui/field.tsx';
import { Card, Loaded } from '../../../ui/page.tsx';
import { changesOf, reviews, type SettingName, type SettingTexts, textsOf } from './setting-texts.ts';

/**
 * Settings of each project that override ringmaster.toml. Changing them requires admin rights, because they contain
 * commands.
 */
export function SettingsView({ workspace }: { readonly workspace: Workspace }): ReactNode {
  return workspace.projects.map(({ id, name }) => (
    <Card key={id} title={name} description="Empty settings use the values from ringmaster.toml.">
      <ProjectCard workspace={workspace.id} project={id} />
    </Card>
  ));
}

function ProjectCard({ workspace, project }: { readonly workspace: string; readonly project: string }): ReactNode {
  const settings = useQuery(projectSettingsQuery(workspace, project));
  const mayChange = useMay('app:ringmaster:admin');
  return (
    <Loaded query={settings}>
      {(shown) => <SettingsForm workspace={workspace} project={project} shown={shown} mayChange={mayChange} />}
    </Loaded>
  );
}

interface SettingsFormProps {
  readonly workspace: string;
  readonly project: string;
  readonly shown: ShownSettings;
  readonly mayChange: boolean;
}

function useSave(workspace: string, project: string, changes: SettingChanges) {
  const params = { workspace, project };
  return useAction({
    failed: 'Could not save the settings',
    done: () => 'Settings saved. They apply to new attempts.',
    touches: ['ringmaster'],
    run: () => ringmasterApi.PATCH('/workspaces/{workspace}/projects/{project}', { params, body: changes }),
  });
}

function SettingsForm({ workspace, project, shown, mayChange }: SettingsFormProps): ReactNode {
  const [draft, setDraft] = useState<Partial<SettingTexts>>({});
  const texts = { ...textsOf(shown.settings), ...draft };
  const write = (name: SettingName) => (text: string) => setDraft((before) => ({ ...before, [name]: text }));
  const changes = changesOf(draft, shown.settings);
  const save = useSave(workspace, project, changes);
  const textField = (name: 'repository' | 'worker' | 'model', label: string, help: string): ReactNode => (
    <Field label={label} help={help} value={texts[name]} onChange={(text) => write(name)(text)} />
  );
  const commandField = (
    name: 'test_command' | 'review_command' | 'worker_args',
    label: string,
    help: string,
  ): ReactNode => (
    <TextArea
      label={label}
      help={help}
      rows={3}
      placeholder={shown.settings[name] === undefined ? shown.in_force[name].join('\n') : ''}
      value={texts[name]}
      onChange={(text) => write(name)(text)}
    />
  );
  return (
    <Form onSubmit={() => save.mutate(undefined, { onSuccess: () => setDraft({}) })}>
      <fieldset disabled={!mayChange} className="grid gap-4 sm:grid-cols-2">
        {textField('repository', 'Repository', "Folder of the repository. Defaults to the worker's folder.")}
        <Choice
          label="Merge finished work"
          value={texts.auto_merge}
          options={[
            {
              value: '',
              label: asForAll(shown, 'auto_merge', shown.in_force.auto_merge ? 'automatically' : 'manually'),
            },
            { value: 'true', label: 'Automatically' },
            { value: 'false', label: 'Manually' },
          ]}
          onChange={write('auto_merge')}
        />
        {commandField('test_command', 'Tests', 'Command, one argument per line: for example npm, then test.')}
        <Choice
          label="Review"
          value={texts.review}
          options={[
            { value: '', label: asForAll(shown, 'review', reviewLabels[shown.in_force.review].toLowerCase()) },
            ...reviews.map((value) => ({ value, label: reviewLabels[value] })),
          ]}
          onChange={write('review')}
        />
        {commandField(
          'review_command',
          'Review command',
          'One argument per line. The command receives the changes on standard input.',
        )}
        {textField('worker', 'Worker', 'Id or type of the worker that gets the tasks. Defaults to any worker.')}
        {textField('model', 'Model', "Model that workers use. Defaults to the worker's model.")}
        {commandField('worker_args', 'Worker arguments', 'Additional arguments for workers, one per line.')}
      </fieldset>
      {mayChange && (
        <div className="flex justify-end">
          <Button type="submit" variant="primary" isBusy={save.isPending} disabled={Object.keys(changes).length === 0}>
            Save settings
          </Button>
        </div>
      )}
    </Form>
  );
}

const reviewLabels = { none: 'None', person: 'By a person', command: 'By a command' } as const;

/** If the project overrides a setting, its value in ringmaster.toml is not known here. */
function asForAll({ settings }: ShownSettings, name: SettingName, inForce: string): string {
  return settings[name] === undefined ? `From ringmaster.toml: ${inForce}` : 'From ringmaster.toml';
}
