import type { Imp } from '../../openrtb/fields/imp.ts';
import { isObject } from '../../openrtb/shape.ts';
import { dropNulls } from '../drop-nulls.ts';
import { EVENT_IMPRESSION, METHOD_IMAGE } from '../native-trackers.ts';

/** One asset of a Native 1.x request; exactly one of the four kinds is present. */
export interface NativeAssetRequest {
  readonly id?: number;
  readonly required?: 0 | 1;
  readonly title?: { readonly len?: number };
  /** 1 icon, 2 logo (the icon's older name), 3 main. */
  readonly img?: { readonly type?: number; readonly mimes?: readonly string[] };
  readonly video?: object;
  readonly data?: { readonly type: number; readonly len?: number };
}

export interface NativeRequest {
  /** Whether the request was wrapped in `{"native": …}`, as in 1.0; the response has the same form. */
  readonly wrapped: boolean;
  /**
   * Whether the renderer calls `eventtrackers` for impressions by an image: it is of 1.2, and if it lists what it
   * calls, that is among it. Others call `imptrackers`.
   */
  readonly callsImpressionEvents: boolean;
  /** The events that the renderer reports by calling an image (1.2 §4.8). */
  readonly eventsByImage: ReadonlySet<number>;
  readonly ver: string;
  readonly assets: readonly NativeAssetRequest[];
}

const read = new WeakMap<Imp, NativeRequest | null>();

/** The native request of an imp that was checked before; null when there is none. */
export function nativeRequestOf(imp: Imp): NativeRequest | null {
  const known = read.get(imp);
  if (known !== undefined) return known;
  const request = imp.native === undefined ? null : parsed(imp.native.request, imp.native.ver);
  read.set(imp, request);
  return request;
}

function parsed(text: string, statedVersion: string | undefined): NativeRequest | null {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isObject(document)) return null;
  const wrapped = isObject(document.native);
  const request = isObject(document.native) ? document.native : document;
  dropNulls(request);
  if (!Array.isArray(request.assets) || !request.assets.every(isObject)) return null;
  const ver = typeof request.ver === 'string' ? request.ver : (statedVersion ?? (wrapped ? '1.0' : '1.2'));
  const eventsByImage = imageEventsOf(request.eventtrackers);
  const callsImpressionEvents = Array.isArray(request.eventtrackers)
    ? eventsByImage.has(EVENT_IMPRESSION)
    : !/^1(\.[01])?$/.test(ver);
  return { wrapped, callsImpressionEvents, eventsByImage, ver, assets: request.assets as NativeAssetRequest[] };
}

function imageEventsOf(trackers: unknown): ReadonlySet<number> {
  const events = new Set<number>();
  for (const tracker of Array.isArray(trackers) ? trackers : []) {
    if (!isObject(tracker) || typeof tracker.event !== 'number') continue;
    if (Array.isArray(tracker.methods) && tracker.methods.includes(METHOD_IMAGE)) events.add(tracker.event);
  }
  return events;
}
