import type { BidRequest } from './bid-request.ts';
import { conversionOf } from './conversion.ts';
import { namesOf, type ObjectTable } from './fields/field.ts';
import { APP, CONTENT, PUBLISHER, SITE } from './fields/inventory.ts';
import { AUDIO, type Audio, VIDEO, type Video } from './fields/video-audio.ts';
import { movedFields, moveToExt } from './moved-fields.ts';
import { type Mutable, omit, shallowCopy } from './shallow-copy.ts';

/**
 * Turns a copy of a request into OpenRTB 2.5, and returns it. What 2.6 added goes to its 2.5 place where it has one, and is
 * left out where it has none: a 2.5 bidder would not understand it, and some refuse what they do not know. Unknown fields of
 * the caller's own are kept. `blockedCategories` (IAB Content Taxonomy 1.0) stand in for a `bcat` in a taxonomy that 2.5
 * cannot name.
 */
export function downgrade(request: Mutable<BidRequest>, blockedCategories: readonly string[]): Mutable<BidRequest> {
  if ((request.cattax ?? 1) !== 1) request.bcat = blockedCategories;
  return lower(request);
}

/** Says in the words of 2.5 what an object (`stated`) told by the fields that are left out of its copy (`lowered`). */
type Rephrase = (stated: object, lowered: object) => object;

const REPHRASED = new Map<ObjectTable, Rephrase>([
  rephrased(VIDEO, rephraseVideo),
  rephrased(AUDIO, rephrasePods),
  rephrased(SITE, omitCategories),
  rephrased(APP, omitCategories),
  rephrased(PUBLISHER, omitCategories),
  rephrased(CONTENT, omitCategories),
]);

/** An object of a table is of its type. */
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
 * 2.5 knows no pods: of one, or of a part of one, its bidders see the place of a single ad. Whatever that may last there
 * is said in 2.5's words: no longer than the break (`poddur`), as short and as long as the durations asked for (`rqddurs`).
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

/** `plcmt` values (AdCOM 1.0) that one of 2.5's `placement` values says as well: in-stream and interstitial. */
const PLACEMENT_OF_PLCMT: Readonly<Record<number, number>> = { 1: 1, 3: 5 };

function rephraseVideo(video: Video, lowered: Video): Video {
  const rephrased = rephrasePods(video, lowered);
  const placement = video.plcmt === undefined ? undefined : PLACEMENT_OF_PLCMT[video.plcmt];
  if (placement === undefined || rephrased.placement !== undefined) return rephrased;
  const copy = shallowCopy(rephrased);
  copy.placement = placement;
  return copy;
}

/** 2.5 has one taxonomy: categories of another would be read as something else. */
function omitCategories<T extends object>(stated: T, lowered: T): T {
  const { cattax } = stated as { cattax?: unknown };
  return cattax === undefined || cattax === 1 ? lowered : omit(lowered, ['cat', 'sectioncat', 'pagecat']);
}
