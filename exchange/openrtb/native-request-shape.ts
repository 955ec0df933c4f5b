import {
  type Check,
  count,
  type Fault,
  fault,
  flag,
  integer,
  isObject,
  isWithinDepth,
  type JsonObject,
  listOf,
  MAX_DEPTH,
  nonEmptyListOf,
  object,
  positive,
  text,
} from './shape.ts';

/** The check of an id that an enumerated list names, or that an exchange defines for itself (500 and above). */
function listed(highest: number): Check {
  const problem = fault(`must be 1 to ${highest}, or 500 and above`);
  return (value) =>
    Number.isSafeInteger(value) &&
    (((value as number) >= 1 && (value as number) <= highest) || (value as number) >= 500)
      ? undefined
      : problem;
}

const title = object({ len: positive }, { level: 4, required: ['len'] });

const image = object(
  { type: listed(3), w: count, h: count, wmin: count, hmin: count, mimes: listOf(text) },
  { level: 4 },
);

const video = object(
  {
    mimes: nonEmptyListOf(text),
    minduration: count,
    maxduration: count,
    protocols: nonEmptyListOf(integer),
  },
  { level: 4, required: ['mimes', 'minduration', 'maxduration', 'protocols'] },
);

const data = object({ type: listed(12), len: count }, { level: 4, required: ['type'] });

const KINDS = ['title', 'img', 'video', 'data'] as const;
const ONE_KIND = fault('must be exactly one of title, img, video and data');

const asset = object(
  { id: integer, required: flag, title, img: image, video, data },
  {
    level: 3,
    also: (value) => (KINDS.filter((kind) => value[kind] !== undefined).length === 1 ? undefined : ONE_KIND),
  },
);

const eventTracker = object(
  { event: listed(4), methods: nonEmptyListOf(listed(2)) },
  { level: 3, required: ['event', 'methods'] },
);

/** The check of the request's top level (Native 1.2 §4.1). */
const nativeRequest = object(
  {
    ver: text,
    context: listed(3),
    contextsubtype: integer,
    plcmttype: listed(4),
    plcmtcnt: count,
    seq: count,
    assets: nonEmptyListOf(asset),
    aurlsupport: flag,
    durlsupport: flag,
    eventtrackers: listOf(eventTracker),
    privacy: flag,
  },
  {
    level: 1,
    required: ['assets'],
    also: (value) => contextFault(value) ?? assetIdFault(value.assets as JsonObject[]),
  },
);

/** Native 1.2 §7.2: the tens of a sub-type are its context (10-15 content, 20-22 social, 30-32 product). */
function contextFault(value: JsonObject): Fault | undefined {
  const context = value.context as number | undefined;
  const subtype = value.contextsubtype as number | undefined;
  if (context === undefined || subtype === undefined || context >= 500 || subtype >= 500) return undefined;
  return Math.floor(subtype / 10) === context
    ? undefined
    : fault(`does not belong to context ${context}`, 'contextsubtype');
}

function assetIdFault(assets: readonly JsonObject[]): Fault | undefined {
  const seen = new Set<unknown>();
  for (const [index, { id }] of assets.entries()) {
    if (id === undefined) continue;
    if (seen.has(id)) return fault(`repeats the id ${id}`, `assets[${index}].id`);
    seen.add(id);
  }
  return undefined;
}

/**
 * The check of `imp.native.request`, a Native 1.x request as text, bare or wrapped in `{"native": …}` as in version
 * 1.0. Native 1.2 demands asset ids; requests without are common and harmless, so only repeated ids are a fault.
 */
export const nativeRequestText: Check = (value) => {
  if (typeof value !== 'string') return fault('must be a string');
  let document: unknown;
  try {
    document = JSON.parse(value);
  } catch {
    return fault('must be JSON text');
  }
  const wrapped = isObject(document) && isObject(document.native) ? document.native : document;
  if (!isWithinDepth(document, MAX_DEPTH)) return fault(`nests deeper than ${MAX_DEPTH} levels`);
  return nativeRequest(wrapped);
};
