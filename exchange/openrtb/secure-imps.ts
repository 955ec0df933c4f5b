import type { BidRequest } from './bid-request.ts';
import type { Imp } from './fields/imp.ts';
import { shallowCopy } from './shallow-copy.ts';

/**
 * Marks all imps as secure (OpenRTB 2.6 §3.2.4, `secure`), for an exchange that shows only secure creatives: bidders
 * are told so, and every bid is checked for it. Returns the request itself where all imps are secure already; else a
 * copy of what differs.
 */
export function withSecureImps(request: BidRequest): BidRequest {
  if (request.imp.every(isSecure)) return request;
  const imp = request.imp.map((each): Imp => (isSecure(each) ? each : Object.assign(shallowCopy(each), { secure: 1 })));
  return Object.assign(shallowCopy(request), { imp });
}

function isSecure({ secure }: Imp): boolean {
  return secure === 1;
}
