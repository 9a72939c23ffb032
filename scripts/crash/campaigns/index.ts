import type { Campaign } from '../lib/campaign.ts';
import { backup } from './backup.ts';
import { codexModel } from './codex-model.ts';
import { codex } from './codex.ts';
import { media } from './media.ts';
import { migrate } from './migrate.ts';
import { replace } from './replace.ts';
import { store } from './store.ts';

/** Every campaign: `npm run crash -- NAME`. Applications add their own campaigns here. */
export const campaigns: readonly Campaign[] = [store, backup, replace, migrate, codex, codexModel, media];
