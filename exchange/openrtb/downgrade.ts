import { isPricedByDuration, lowestFloorCpmMicros } from '../auction/floors.ts';
import { CURRENCY } from '../currency/currency.ts';
import { cpmMicros, cpmOf } from '../money/price.ts';
import type { BidRequest } from './bid-request.ts';
import { conversionOf } from './conversion.ts';
import { namesOf, type ObjectTable } from './fields/field.ts';
import { IMP, type Imp } from './fields/imp.ts';
import { APP, CONTENT, PUBLISHER, SITE } from './fields/inventory.ts';
import type { Deal } from './fields/pmp.ts';
import { AUDIO, type Audio, VIDEO, type Video } from './fields/video-audio.ts';
import { movedFields, moveToExt } from './moved-fields.ts';
import { type Mutable, omit, shallowCopy } from './shallow-copy.ts';

/**
 * Converts a copy of a request to OpenRTB 2.5, and returns it. A field that 2.6 added is moved to its 2.5 place where
 * it has one, and left out where it has none: a 2.5 bidder would not understand it, and some refuse unknown fields. The
 * caller's own unknown fields are kept. `blockedCategories` (IAB Content Taxonomy 1.0) replace a `bcat` in a taxonomy
 * that 2.5 cannot name.
 */
export function downgrade(request: Mutable<BidRequest>, blockedCategories: readonly string[]): Mutable<BidRequest> {
  if ((request.cattax ?? 1) !== 1) request.bcat = blockedCategories;
  return lower(request);
}

/** Expresses in fields of 2.5 what an object (`stated`) said in fields that are left out of its copy (`lowered`). */
type Rephrase = (stated: object, lowered: object) => object;

const REPHRASED = new Map<ObjectTable, Rephrase>([
  rephrased(IMP, rephraseFloors),
  rephrased(VIDEO, rephraseVideo),
  rephrased(AUDIO, rephrasePods),
  rephrased(SITE, omitCategories),
  rephrased(APP, omitCategories),
  rephrased(PUBLISHER, omitCategories),
  rephrased(CONTENT, omitCategories),
]);

/** Pairs a table with its function, so that the type of the table's objects is checked. */
function rephrased<T extends object>(
  table: ObjectTable<T>,
  rephrase: (stated: T, lowered: T) => T,
): [ObjectTable, Rephrase] {
  return [table, (stated, lowered) => rephrase(stated as T, lowered as T)];
}

const lower = conversionOf((table) => {
  const moved = movedFields(table);
  const absent = namesOf(table, ({ in25 }) => in25 === 'absent');
  const rephrase = REPHRASED.get(table);
  if (rephrase === undefined && moved.length === 0 && absent.length === 0) return null;
  return (object) => {
    const lowered = omit(moved.length === 0 ? object : moveToExt(object, moved), absent);
    return rephrase === undefined ? lowered : (rephrase(object, lowered) as typeof object);
  };
});

/**
 * Tells bidders of 2.5, which knows no floors by duration, of an imp that takes video or audio alone and of its deals
 * the lowest floor that an ad of any length has, where that is above the plain one.
 */
function rephraseFloors({ banner, video, audio, native, pmp }: Imp, lowered: Imp): Imp {
  const playable = video ?? audio;
  const hasOthers = banner !== undefined || native !== undefined || (video !== undefined && audio !== undefined);
  if (playable === undefined || hasOthers) return lowered;
  const told = tellLowestFloor(lowered, playable, playable);
  const deals = pmp?.deals?.map((deal) => tellLowestFloor(deal, deal, playable));
  if (deals === undefined || deals.every((deal, index) => deal === pmp!.deals![index])) return told;
  return Object.assign(shallowCopy(told), { pmp: { ...pmp, deals } });
}

function tellLowestFloor<T extends Imp | Deal>(
  priced: T,
  byDuration: Deal | Video | Audio,
  playable: Video | Audio,
): T {
  if (!isPricedByDuration(byDuration)) return priced;
  const lowest = lowestFloorCpmMicros(priced.bidfloor, byDuration, playable);
  if (lowest <= cpmMicros(priced.bidfloor ?? 0)) return priced;
  return Object.assign(shallowCopy(priced), { bidfloor: cpmOf(lowest), bidfloorcur: CURRENCY });
}

/**
 * Describes a pod, or a part of one, to bidders of 2.5, which does not know pods: they see the place of a single ad.
 * Its allowed durations are given in fields of 2.5: at most the length of the break (`poddur`), and within the range of
 * the required durations (`rqddurs`).
 */
function rephrasePods<T extends Video | Audio>({ poddur, rqddurs }: T, lowered: T): T {
  if (!poddur && !rqddurs?.length) return lowered;
  const copy: Mutable<Video | Audio> = shallowCopy(lowered);
  if (rqddurs?.length) {
    copy.minduration ??= Math.min(...rqddurs);
    copy.maxduration ??= Math.max(...rqddurs);
  }
  if (poddur) copy.maxduration = Math.min(copy.maxduration ?? poddur, poddur);
  return copy as T;
}

/** `plcmt` values (AdCOM 1.0) that have an equivalent among 2.5's `placement` values: in-stream and interstitial. */
const PLACEMENT_OF_PLCMT: Readonly<Record<number, number>> = { 1: 1, 3: 5 };

function rephraseVideo(video: Video, lowered: Video): Video {
  const rephrased = rephrasePods(video, lowered);
  const placement = video.plcmt === undefined ? undefined : PLACEMENT_OF_PLCMT[video.plcmt];
  if (placement === undefined || rephrased.placement !== undefined) return rephrased;
  const copy = shallowCopy(rephrased);
  copy.placement = placement;
  return copy;
}

/** Leaves out categories of other taxonomies: 2.5 has a single one, and would read them as other categories. */
function omitCategories<T extends object>(stated: T, lowered: T): T {
  const { cattax } = stated as { cattax?: unknown };
  return cattax === undefined || cattax === 1 ? lowered : omit(lowered, ['cat', 'sectioncat', 'pagecat']);
}
