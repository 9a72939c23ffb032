import { CloudOff, Smartphone, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

import { useNow } from '../../lib/clock.ts';
import { clockTime, relativeTime } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { answerOffer } from '../engine/controls.ts';
import type { Offer, PlayerView, Trouble } from '../model/view.ts';
import { spokenTime } from '../model/time-text.ts';

/** Errors, and a newer position from another device. */
export function Notices({ view: { offer, trouble } }: { readonly view: PlayerView }): ReactNode {
  return (
    <div role="status">
      {trouble !== undefined && <TroubleLine trouble={trouble} />}
      {offer !== undefined && <OfferLine offer={offer} />}
    </div>
  );
}

function TroubleLine({ trouble: { kind, title, hint } }: { readonly trouble: Trouble }): ReactNode {
  const Icon = kind === 'connection' ? CloudOff : TriangleAlert;
  return (
    <p className="flex items-start gap-2.5 bg-warn-soft px-4 py-2 text-[13px] text-warn sm:px-6">
      <Icon className="mt-0.5 size-4 shrink-0" aria-hidden />
      <span>
        <strong className="font-semibold">{title}.</strong> {hint}
      </span>
    </p>
  );
}

function OfferLine({ offer: { positionMs, device, at } }: { readonly offer: Offer }): ReactNode {
  const now = useNow();
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 bg-info-soft px-4 py-2 text-[13px] text-info sm:px-6">
      <Smartphone className="size-4 shrink-0" aria-hidden />
      <p className="min-w-0 flex-1 basis-56">
        Continue at <span className="sr-only">{spokenTime(positionMs)}</span>
        <strong className="font-semibold tabular-nums" aria-hidden>
          {clockTime(positionMs)}
        </strong>
        ? You listened on {device}, {relativeTime(Date.parse(at), now)}.
      </p>
      <span className="flex gap-2">
        <Button size="small" variant="primary" onClick={() => answerOffer(true)}>
          Jump there
        </Button>
        <Button size="small" onClick={() => answerOffer(false)}>
          Stay here
        </Button>
      </span>
    </div>
  );
}
