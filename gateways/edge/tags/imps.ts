import type { Banner } from '#exchange/openrtb/fields/banner';
import type { Imp } from '#exchange/openrtb/fields/imp';
import type { Audio, Video } from '#exchange/openrtb/fields/video-audio';
import { protocolsOf, type VastPlayer } from '#exchange/vast/player';
import { ApiError } from '../../errors.ts';
import { withoutUndefined } from './defined.ts';
import { NATIVE_REQUEST } from './native-request.ts';
import { podFieldsOf } from './pod.ts';
import type { TagQuery } from './query.ts';

export type TagFormat = 'banner' | 'video' | 'native' | 'audio';
export const TAG_FORMATS: readonly TagFormat[] = ['banner', 'video', 'native', 'audio'];

/** Whether ads of the format are VAST documents. */
export function isVastFormat(format: TagFormat): boolean {
  return format === 'video' || format === 'audio';
}

const IMP_ID = '1';
/** Size of a banner where the tag gives none. */
const BANNER_SIZE = { w: 300, h: 250 };
const VIDEO_SIZE = { w: 1280, h: 720 };
/**
 * Shortest ad, in seconds, where the tag gives none. {@link LONGEST_AD} is the longest that the creative specifications
 * name.
 */
const SHORTEST_AD = 1;
const LONGEST_AD = 60;

const VIDEO_TYPES = ['video/mp4'];
/** MP3, AAC, M4A and OGG (specification, Creative specifications). */
const AUDIO_TYPES = ['audio/mpeg', 'audio/aac', 'audio/mp4', 'audio/ogg'];

/** AdCOM 1.0, List: API Frameworks. */
const VPAID = [1, 2];
const MRAID = [3, 5, 6];
const KNOWN_API = 9;
/** A container of one MRAID version also runs the creatives of the earlier ones. */
const MRAID_UP_TO = { '1': [3], '2': [3, 5], '3': [3, 5, 6] } as const;

/**
 * The imp of a tag. A television's imp differs in what may run there: never MRAID. `asksSecure`: applies where the tag
 * does not say.
 */
export function tagImp(
  format: TagFormat,
  query: TagQuery,
  player: VastPlayer,
  onTelevision: boolean,
  asksSecure = true,
): Imp {
  const floorCpm = query.cpm('floor');
  return withoutUndefined({
    id: IMP_ID,
    ...mediaObject(format, query, player, onTelevision),
    instl: query.flag('instl'),
    rwdd: query.flag('rewarded'),
    secure: query.flag('secure') ?? (asksSecure ? 1 : 0),
    bidfloor: floorCpm,
    bidfloorcur: floorCpm === undefined ? undefined : 'USD',
  }) as Imp;
}

function mediaObject(
  format: TagFormat,
  query: TagQuery,
  player: VastPlayer,
  onTelevision: boolean,
): Pick<Imp, 'banner' | 'video' | 'audio' | 'native'> {
  switch (format) {
    case 'banner':
      return { banner: banner(query, onTelevision) };
    case 'video':
      return { video: video(query, player) };
    case 'audio':
      return { audio: audio(query, player) };
    case 'native':
      return { native: { request: NATIVE_REQUEST, ver: '1.2' } };
  }
}

/** `w` and `h` are the first of the sizes; a missing one is that of the standard size. */
function banner(query: TagQuery, onTelevision: boolean): Banner {
  const [w, h] = [query.pixels('w'), query.pixels('h')];
  const sizes = query.sizes('sizes') ?? [];
  const first = w === undefined && h === undefined ? sizes[0] : { w: w ?? BANNER_SIZE.w, h: h ?? BANNER_SIZE.h };
  const size = first ?? BANNER_SIZE;
  const others = sizes.filter((other) => other.w !== size.w || other.h !== size.h);
  return withoutUndefined({ ...size, format: [size, ...others], api: api(query, onTelevision) }) as Banner;
}

function api(query: TagQuery, onTelevision: boolean): number[] | undefined {
  const mraid = query.oneOf('mraid', ['1', '2', '3']);
  const named = query.integers('api', 1, KNOWN_API);
  if (mraid === undefined && named === undefined) return undefined;
  const frameworks = [...new Set([...(mraid === undefined ? [] : MRAID_UP_TO[mraid]), ...(named ?? [])])];
  if (frameworks.some((framework) => VPAID.includes(framework))) {
    throw new ApiError('INVALID_PARAMS', 'VPAID is not supported.', 'api');
  }
  if (onTelevision && frameworks.some((framework) => MRAID.includes(framework))) {
    throw new ApiError('INVALID_PARAMS', 'MRAID does not run on televisions.', mraid === undefined ? 'api' : 'mraid');
  }
  return frameworks.sort((one, other) => one - other);
}

function video(query: TagQuery, player: VastPlayer): Video {
  return withoutUndefined({
    ...playerFields(query, player, VIDEO_TYPES),
    w: query.pixels('w') ?? VIDEO_SIZE.w,
    h: query.pixels('h') ?? VIDEO_SIZE.h,
    linearity: 1,
    skip: query.flag('skip'),
    plcmt: query.integer('plcmt', 1, 4),
    playbackmethod: query.integers('playbackmethod', 1, 7),
  }) as Video;
}

/**
 * The creative specifications know one size of a companion. `w` and `h` are those of a companion slot of another size.
 */
function audio(query: TagQuery, player: VastPlayer): Audio {
  const companion = { w: query.pixels('w') ?? BANNER_SIZE.w, h: query.pixels('h') ?? BANNER_SIZE.h };
  return {
    ...playerFields(query, player, AUDIO_TYPES),
    companionad: [{ id: '1', ...companion, format: [companion] }],
    // Static images and HTML (AdCOM 1.0, List: Companion Types).
    companiontype: [1, 2],
  };
}

function playerFields(query: TagQuery, player: VastPlayer, mimes: readonly string[]): Omit<Audio, 'feed' | 'stitched'> {
  const pod = podFieldsOf(query, player);
  return withoutUndefined({
    mimes: query.texts('mimes') ?? mimes,
    protocols: protocolsOf(player),
    ...durations(query, pod),
    ...pod,
    // -1 and -2: generic mid-roll and post-roll (OpenRTB 2.6 List 4.1, AdCOM Start Delay Modes).
    startdelay: query.integer('startdelay', -2),
  }) as Omit<Audio, 'feed' | 'stitched'>;
}

/** Seconds of each ad; in a pod, no ad is longer than the pod. */
function durations(
  query: TagQuery,
  { poddur, rqddurs }: Pick<Video, 'poddur' | 'rqddurs'>,
): Pick<Video, 'minduration' | 'maxduration'> {
  const [shortest, longest] = [query.integer('minduration'), query.integer('maxduration', 1)];
  const bounded = shortest !== undefined ? 'minduration' : longest !== undefined ? 'maxduration' : undefined;
  if (rqddurs !== undefined) {
    if (bounded === undefined) return {};
    throw new ApiError('INVALID_PARAMS', `rqddurs says how long ads are: leave out ${bounded}.`, bounded);
  }
  const minduration = shortest ?? SHORTEST_AD;
  if (poddur !== undefined && minduration > poddur) {
    throw new ApiError('INVALID_PARAMS', 'minduration must not be more than poddur.', 'minduration');
  }
  const maxduration = longest ?? Math.min(Math.max(LONGEST_AD, minduration), poddur ?? Number.POSITIVE_INFINITY);
  if (maxduration < minduration) {
    throw new ApiError('INVALID_PARAMS', 'maxduration must not be less than minduration.', 'maxduration');
  }
  return { minduration, maxduration };
}
