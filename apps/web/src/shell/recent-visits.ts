import { readStored, writeStored } from '../lib/storage.ts';

export interface Visit {
  readonly path: string;
  readonly title: string;
}

const KEY = 'holdfast.recent';
const KEPT = 20;
/** Pages that show a single item: a plan, a task, a note, a book or a person. */
const ITEM =
  /^\/(?:plans\/[^/]+|ringmaster\/[^/]+\/tasks\/[^/]+|notebooks\/[^/]+(?:\/files\/[^/]+)?|books\/[^/]+(?:\/[^/]+)?)$/u;

/** The items that this browser showed most recently, newest first. */
export function recentVisits(): readonly Visit[] {
  try {
    const stored: unknown = JSON.parse(readStored(KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isVisit) : [];
  } catch {
    return [];
  }
}

export function rememberVisit(path: string, documentTitle: string): void {
  const title = documentTitle.replace(/^\(\d+\) /u, '').replace(/ · Holdfast$/u, '');
  if (!ITEM.test(path) || title === 'Holdfast') return;
  const others = recentVisits().filter((visit) => visit.path !== path);
  writeStored(KEY, JSON.stringify([{ path, title }, ...others].slice(0, KEPT)));
}

function isVisit(value: unknown): value is Visit {
  if (typeof value !== 'object' || value === null || !('path' in value) || !('title' in value)) return false;
  return typeof value.path === 'string' && value.path.startsWith('/') && typeof value.title === 'string';
}
