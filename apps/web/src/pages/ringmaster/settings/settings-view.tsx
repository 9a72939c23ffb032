import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import type { Workspace } from '../../../api/types.ts';
import { projectSettingsQuery } from '../../../api/ringmaster-queries.ts';
import { useMay } from '../../../lib/permissions.ts';
import { Card } from '../../../ui/card.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { SettingsForm } from './settings-form.tsx';

/** What each project wants differently from ringmaster.toml. Settings name commands, so not everybody may change them. */
export function SettingsView({ workspace }: { readonly workspace: Workspace }): ReactNode {
  return workspace.projects.map(({ id, name }) => (
    <Card key={id} title={name} description="What is left empty is as ringmaster.toml says.">
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
