import { shortId } from '../model/id.ts';
import type { Transferred } from '../service/transfer.ts';

export function shownTransfer({ added, unchanged, overwritten, skipped }: Transferred): readonly string[] {
  const counts = `${added} added, ${unchanged} there already, ${overwritten} overwritten, ${skipped.length} skipped`;
  const different = skipped.map((id) => `skipped  ${shortId(id)}  is there and different; --overwrite replaces it`);
  return [counts, ...different];
}
