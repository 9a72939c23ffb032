import type { Operation, OperationType } from '../../../api/types.ts';
import type { Tone } from '../../../ui/badge.tsx';

const types: Readonly<Record<OperationType, string>> = {
  scan: 'Scan',
  organize: 'Organise',
  transcode: 'Transcode',
  merge: 'Merge files',
  tag: 'Write tags',
  import: 'Import',
  edit: 'Edit',
  undo: 'Undo',
};

export const operationTypes = (Object.keys(types) as OperationType[]).map((value) => ({ value, label: types[value] }));

export function typeWord(type: string): string {
  return operationTypes.find(({ value }) => value === type)?.label ?? type;
}

const statuses: Readonly<Record<string, { readonly word: string; readonly tone: Tone }>> = {
  pending: { word: 'Queued', tone: 'paused' },
  running: { word: 'Running', tone: 'busy' },
  completed: { word: 'Done', tone: 'good' },
  failed: { word: 'Failed', tone: 'bad' },
  cancelled: { word: 'Cancelled', tone: 'cancelled' },
  interrupted: { word: 'Interrupted', tone: 'warn' },
};

export function statusBadge(status: string): { readonly word: string; readonly tone: Tone } {
  return statuses[status] ?? { word: status, tone: 'neutral' };
}

export function isOpen({ status }: Operation): boolean {
  return status === 'pending' || status === 'running';
}

/** Undefined while the total is unknown. */
export function percentOf({ progress: { current, total } }: Operation): number | undefined {
  return total === 0 ? undefined : (current / total) * 100;
}
