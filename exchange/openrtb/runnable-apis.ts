import type { BidRequest } from './bid-request.ts';
import type { Imp } from './fields/imp.ts';
import { shallowCopy } from './shallow-copy.ts';

/**
 * VPAID 1 and 2 (AdCOM, list "API Frameworks"), which this exchange does not sell (specification, "Creative
 * specifications").
 */
const VPAID: readonly number[] = [1, 2];
/** MRAID 1 to 3, which are not sold on a television (specification, "Creative specifications"). */
export const MRAID: readonly number[] = [3, 5, 6];
const VPAID_AND_MRAID = [...VPAID, ...MRAID];

/**
 * Removes frameworks whose ads would be refused, so that bidders do not lose with a framework that was offered to them.
 * Nearly always returns the request itself; else a copy of what differs.
 */
export function withRunnableApis(request: BidRequest, onTelevision: boolean): BidRequest {
  const not = onTelevision ? VPAID_AND_MRAID : VPAID;
  if (!request.imp.some((imp) => offers(imp.banner, not) || offers(imp.video, not))) return request;
  const imp = request.imp.map((each): Imp => {
    const { banner, video } = each;
    if (!offers(banner, not) && !offers(video, not)) return each;
    return Object.assign(shallowCopy(each), {
      ...(banner && { banner: without(banner, not) }),
      ...(video && { video: without(video, not) }),
    });
  });
  return Object.assign(shallowCopy(request), { imp });
}

interface Placement {
  readonly api?: readonly number[];
}

function offers(placement: Placement | undefined, frameworks: readonly number[]): boolean {
  return placement?.api?.some((api) => frameworks.includes(api)) ?? false;
}

/** An empty list means the same as a missing one (OpenRTB 2.6 §3.2.6: what is not listed is not supported). */
function without<T extends Placement>(placement: T, frameworks: readonly number[]): T {
  const api = placement.api?.filter((one) => !frameworks.includes(one)) ?? [];
  const left = shallowCopy(placement, ['api']) as T;
  return api.length === 0 ? left : Object.assign(left, { api });
}
