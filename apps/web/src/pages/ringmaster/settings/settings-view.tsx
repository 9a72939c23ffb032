import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import type { Place } from '../../../api/ringmaster-client.ts';
import { projectSettingsQuery } from '../../../api/ringmaster-queries.ts';
import { useMay } from '../../../lib/permissions.ts';
import { Card } from '../../../ui/card.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { SettingsForm } from './settings-form.tsx';

/** What each project wants differently from ringmaster.toml. Settings name commands, so not everybody may change them. */
export function SettingsView({ place }: { readonly place: Place }): ReactNode {
  return place.projects.map(({ id, name }) => (
    <Card key={id} title={name} description="What is left empty is as ringmaster.toml says.">
      <ProjectCard place={place.id} project={id} />
    </Card>
  ));
}

function ProjectCard({ place, project }: { readonly place: string; readonly project: string }): ReactNode {
  const settings = useQuery(projectSettingsQuery(place, project));
  const mayChange = useMay('app:ringmaster:admin');
  return (
    <Loaded query={settings}>
      {(shown) => <SettingsForm place={place} project={project} shown={shown} mayChange={mayChange} />}
    </Loaded>
  );
}
