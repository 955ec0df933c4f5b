import type { BidRequest, Imp } from './bid-request.ts';
import { liftFields, MOVED_FIELDS } from './moved-fields.ts';
import { isRewarded } from './signals.ts';

/** A request in OpenRTB 2.6. The argument is left as it is. 2.6 knows everything that 2.5 does, so nothing is dropped. */
export function upgrade(request: BidRequest): BidRequest {
  const { regs, user, source } = request;
  return {
    ...request,
    imp: request.imp.map(upgradeImp),
    regs: regs && liftFields(regs, MOVED_FIELDS.regs),
    user: user && liftFields(user, MOVED_FIELDS.user),
    source: source && liftFields(source, MOVED_FIELDS.source),
  };
}

function upgradeImp(imp: Imp): Imp {
  const lifted = liftFields(imp, MOVED_FIELDS.imp);
  return lifted.rwdd === undefined && isRewarded(imp) ? { ...lifted, rwdd: 1 } : lifted;
}
