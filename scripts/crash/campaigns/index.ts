import type { Campaign } from '../lib/campaign.ts';
import { backup } from './backup.ts';
import { codexModel } from './codex-model.ts';
import { codex } from './codex.ts';
import { damage } from './damage.ts';
import { failover, failoverPatroni } from './failover.ts';
import { fuzz } from './fuzz.ts';
import { linearizability } from './linearizability.ts';
import { media } from './media.ts';
import { migrate } from './migrate.ts';
import { move } from './move.ts';
import { mutation } from './mutation.ts';
import { night } from './night.ts';
import { power } from './power.ts';
import { remote } from './remote.ts';
import { replace } from './replace.ts';
import { requests } from './requests.ts';
import { soak } from './soak.ts';
import { store } from './store.ts';
import { sync } from './sync.ts';

/** Every campaign: `npm run crash -- NAME`. Applications add their own campaigns here. */
export const campaigns: readonly Campaign[] = [
  store,
  linearizability,
  backup,
  replace,
  migrate,
  move,
  failover,
  failoverPatroni,
  power,
  damage,
  codex,
  codexModel,
  sync,
  media,
  fuzz,
  requests,
  soak,
  mutation,
  night,
  remote,
];
