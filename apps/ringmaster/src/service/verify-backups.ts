import { ObjectStore } from '../adapters/object-store.ts';
import { filesOf, inspectBackup, verifyStoreBackup } from '../store/backup.ts';
import { listBackups } from './backup.ts';
import type { Ringmaster } from './ringmaster.ts';

export interface CheckedBackup {
  readonly path: string;
  readonly problem: string | null;
}

/** Each backup is read whole, and each file that it refers to must be kept. */
export async function verifyBackups(rm: Ringmaster): Promise<readonly CheckedBackup[]> {
  const objects = new ObjectStore(rm.workspace.filesPath);
  const checked: CheckedBackup[] = [];
  for (const { path } of listBackups(rm)) {
    try {
      await verifyStoreBackup(path);
      const files = await inspectBackup(path, filesOf);
      const lost = files.filter(({ sha256 }) => !objects.has(sha256));
      checked.push({ path, problem: lost.length === 0 ? null : `${lost.length} files are not kept` });
    } catch (error) {
      checked.push({ path, problem: (error as Error).message });
    }
  }
  return checked;
}
