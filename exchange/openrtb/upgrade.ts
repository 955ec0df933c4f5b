import type { BidRequest, Imp } from './bid-request.ts';
import { liftFields, MOVED_FIELDS } from './moved-fields.ts';
import { type Mutable, shallowCopy } from './shallow-copy.ts';
import { isRewarded } from './signals.ts';

/** Turns a copy of a request into OpenRTB 2.6. That knows everything which 2.5 does, so nothing is dropped. */
export function upgrade(request: Mutable<BidRequest>): void {
  request.imp = request.imp.map(upgradeImp);
  if (request.regs) request.regs = liftFields(request.regs, MOVED_FIELDS.regs);
  if (request.user) request.user = liftFields(request.user, MOVED_FIELDS.user);
  if (request.source) request.source = liftFields(request.source, MOVED_FIELDS.source);
}

function upgradeImp(imp: Imp): Imp {
  const lifted = liftFields(imp, MOVED_FIELDS.imp);
  if (lifted.rwdd !== undefined || !isRewarded(imp)) return lifted;
  const rewarded = shallowCopy(lifted);
  rewarded.rwdd = 1;
  return rewarded;
}
