import { type ReactNode, useCallback } from 'react';

import type { Workspace } from '../../api/types.ts';
import { useFilters } from '../../lib/filters.ts';
import { Choice } from '../../ui/field.tsx';
import { SearchBox } from '../../ui/search-box.tsx';

interface WorkspaceFiltersProps {
  readonly workspace: Workspace;
  readonly label?: string;
  readonly children?: ReactNode;
}

/** Search text and project, stored in the address. */
export function WorkspaceFilters({ workspace, label, children }: WorkspaceFiltersProps): ReactNode {
  const [{ project = '', text = '' }, change] = useFilters();
  const search = useCallback((next: string) => change({ text: next }), [change]);
  const projects = workspace.projects.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <div className="flex flex-col gap-3 sm:flex-row sm:items-center">
      {label !== undefined && <SearchBox label={label} value={text} onChange={search} />}
      {projects.length > 1 && (
        <div className="sm:w-56">
          <Choice
            label="Project"
            isLabelHidden
            value={project}
            options={[{ value: '', label: 'All projects' }, ...projects]}
            onChange={(next) => change({ project: next }, true)}
          />
        </div>
      )}
      {children}
    </div>
  );
}
