import type { FloorSource, RecordedImp } from '../../actors/auction-record/record.ts';
import { offeredFormats } from '../../exchange/auction/ad-format.ts';
import { adBreaks } from '../../exchange/auction/pods/ad-break.ts';
import type { RequestCurrencies } from '../../exchange/currency/request-currencies.ts';
import { cpmMicros } from '../../exchange/money/price.ts';
import type { BidRequest } from '../../exchange/openrtb/bid-request.ts';
import type { Imp } from '../../exchange/openrtb/fields/imp.ts';
import { truncate } from './shortened.ts';

const MOST_IMPS = 50;
const MOST_SIZES = 10;

/** Whole micro-dollars CPM. */
export interface SellerFloors {
  readonly publisherFloorCpmMicros: number;
  readonly poolFloorCpmMicros: number;
}

export function describeImps(
  request: BidRequest,
  floors: SellerFloors,
  currencies: RequestCurrencies | null = null,
): RecordedImp[] {
  const stated = new Map(currencies?.statedFloors.map(({ impId, ...floor }) => [impId, floor]));
  const breaks = adBreaks(request);
  return request.imp.slice(0, MOST_IMPS).map((imp) => {
    const requestFloorCpmMicros = cpmMicros(imp.bidfloor ?? 0);
    const statedFloor = stated.get(imp.id);
    return {
      id: truncate(imp.id),
      formats: offeredFormats(imp),
      sizes: sizesOf(imp),
      ...floorOf(requestFloorCpmMicros, floors),
      requestFloorCpmMicros,
      ...(statedFloor !== undefined && { statedFloor }),
      deals: imp.pmp?.deals?.length ?? 0,
      inPod: breaks.has(imp.id),
    };
  });
}

/** The highest floor counts; of equal ones, the one nearest to the request. */
function floorOf(requestFloorCpmMicros: number, { publisherFloorCpmMicros, poolFloorCpmMicros }: SellerFloors) {
  const floorCpmMicros = Math.max(requestFloorCpmMicros, publisherFloorCpmMicros, poolFloorCpmMicros);
  const from: [FloorSource, number][] = [
    ['none', 0],
    ['request', requestFloorCpmMicros],
    ['publisher', publisherFloorCpmMicros],
    ['pool', poolFloorCpmMicros],
  ];
  return { floorCpmMicros, floorFrom: from.find(([, floor]) => floor === floorCpmMicros)![0] };
}

function sizesOf({ banner, video }: Imp): string[] {
  const sizes = [...(banner?.format ?? []), banner, video].flatMap((sized) =>
    sized?.w !== undefined && sized.h !== undefined ? [`${sized.w}x${sized.h}`] : [],
  );
  return [...new Set(sizes)].slice(0, MOST_SIZES);
}
