import type { BidRequest } from './bid-request.ts';
import type { Imp } from './fields/imp.ts';
import { shallowCopy } from './shallow-copy.ts';

/**
 * A request all of whose imps ask for secure creatives (OpenRTB 2.6 §3.2.4, `secure`): where nothing else is shown, bidders are
 * told so and every bid is held to it. The request itself where it asks for them already; else a copy where it differs.
 */
export function withSecureImps(request: BidRequest): BidRequest {
  if (request.imp.every(isSecure)) return request;
  const imp = request.imp.map((each): Imp => (isSecure(each) ? each : Object.assign(shallowCopy(each), { secure: 1 })));
  return Object.assign(shallowCopy(request), { imp });
}

function isSecure({ secure }: Imp): boolean {
  return secure === 1;
}
