import type { BidRequest } from '../../openrtb/bid-request.ts';
import type { Imp } from '../../openrtb/fields/imp.ts';
import type { Audio, Video } from '../../openrtb/fields/video-audio.ts';

/**
 * A property that two ads of one break must not share: values of `poddedupe` (AdCOM, List: Pod Deduplication Settings).
 */
export type Separation = 'advertiser' | 'category' | 'creative';

/** The place of an imp in its break. It holds one ad or, for a dynamic portion (OpenRTB 2.6 §7.6.2), as many as fit. */
export interface PodSlot {
  readonly impId: string;
  readonly maxAds: number;
  /** The limit of all its ads together, in seconds; infinite where only the limit of each ad applies. */
  readonly maxSeconds: number;
}

/** The imps of one pod, which are sold together (OpenRTB 2.6 §7.6). */
export interface AdBreak {
  readonly slots: ReadonlyMap<string, PodSlot>;
  readonly separated: ReadonlySet<Separation>;
}

/** A dynamic portion holds at most 20 ads, whatever `maxseq` says. */
const MAX_ADS = 20;
/** A whole break holds at most 50 ads, however many portions and slots it has. */
export const MAX_ADS_OF_BREAK = 50;

const BY_SETTING: Readonly<Record<number, Separation>> = { 1: 'advertiser', 2: 'category', 3: 'creative' };
/** The separation where the request does not say: no advertiser twice or beside a competitor, and no creative twice. */
const SEPARATED_BY_DEFAULT: readonly Separation[] = ['advertiser', 'category', 'creative'];

/** The breaks of requests without pods. */
export const NO_BREAKS: ReadonlyMap<string, AdBreak> = new Map();
const NO_IMPS: ReadonlySet<string> = new Set();

/** The imps that several ads may share: dynamic portions. */
export function dynamicImps({ imp: imps }: BidRequest): ReadonlySet<string> {
  if (!imps.some(isShared)) return NO_IMPS;
  return new Set(imps.filter(isShared).map(({ id }) => id));
}

function isShared(imp: Imp): boolean {
  return isDynamic(podPart(imp));
}

/** The part of an imp that places it in a pod. Video is used where an imp offers both. */
function podPart({ video, audio }: Imp): Video | Audio | undefined {
  if (isOfPod(video)) return video;
  return isOfPod(audio) ? audio : undefined;
}

function isOfPod(part: Video | Audio | undefined): boolean {
  return part !== undefined && (part.podid !== undefined || isDynamic(part));
}

function isDynamic(part: Video | Audio | undefined): boolean {
  return (part?.poddur ?? 0) > 0;
}

/** The break of each imp that is part of a pod; other imps are absent. */
export function adBreaks({ imp: imps }: BidRequest): ReadonlyMap<string, AdBreak> {
  // Most requests have no pod; nothing is allocated for them.
  if (imps.every((imp) => podPart(imp) === undefined)) return NO_BREAKS;
  const breaks = new Map<string, AdBreak>();
  const byPod = new Map<string, Imp[]>();
  for (const imp of imps) {
    const part = podPart(imp);
    if (part === undefined) continue;
    const pod = part.podid === undefined ? `imp ${imp.id}` : `pod ${part.podid}`;
    byPod.set(pod, [...(byPod.get(pod) ?? []), imp]);
  }
  for (const members of byPod.values()) {
    const slots = new Map(members.map((imp) => [imp.id, podSlotOf(imp)]));
    const settings = members.flatMap((imp) => podPart(imp)!.poddedupe ?? []);
    const separated = new Set(
      settings.length === 0 ? SEPARATED_BY_DEFAULT : settings.flatMap((setting) => BY_SETTING[setting] ?? []),
    );
    const adBreak = { slots, separated };
    for (const imp of members) breaks.set(imp.id, adBreak);
  }
  return breaks;
}

function podSlotOf(imp: Imp): PodSlot {
  const part = podPart(imp)!;
  if (!isDynamic(part)) return { impId: imp.id, maxAds: 1, maxSeconds: Number.POSITIVE_INFINITY };
  return { impId: imp.id, maxAds: Math.min(part.maxseq || MAX_ADS, MAX_ADS), maxSeconds: part.poddur! };
}
