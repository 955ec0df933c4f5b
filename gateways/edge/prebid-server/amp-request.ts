import { isObject, isWithinDepth, type JsonObject, MAX_DEPTH } from '#exchange/openrtb/shape';
import { ApiError } from '../../errors.ts';
import { TagQuery } from '../tags/query.ts';
import { pixelsOf, sizeOf } from '../tags/sizes.ts';

/** What `consent_string` is (AMP, "consent string types"). */
const US_PRIVACY = 3;
const GPP = 4;
/** Begins each section of a GPP string (IAB Global Privacy Platform), and stands in no other consent string. */
const GPP_SECTION = '~';
/** A US Privacy string (IAB US Privacy 1.0): a version and three answers. */
const IS_US_PRIVACY = /^1[YNyn-]{3}$/;

/**
 * The request that an AMP page asks for: its stored request (`tag_id`), and over it what the query says. AMP pages
 * render by the key values and the cached bid alone, so both are asked for whatever is stored. Throws INVALID_PARAMS,
 * with the parameter's name.
 */
export function ampRequest(search: string): JsonObject {
  const query = new TagQuery(search);
  const name = query.required('tag_id');
  const account = query.text('account');
  const page = query.text('curl');
  const timeoutMs = query.integer('timeout', 1, 60_000);
  return {
    site: {
      ...(page !== undefined && { page }),
      ...(account !== undefined && { publisher: { id: account } }),
      ext: { amp: 1 },
    },
    ...(timeoutMs !== undefined && { tmax: timeoutMs }),
    ...consent(query),
    ...(query.flag('debug') === 1 && { test: 1 }),
    ext: { prebid: { storedrequest: { id: name }, cache: { bids: {} }, channel: { name: 'amp', version: '' } } },
  };
}

/**
 * The completed request of an AMP slot, with the slot's name, sizes and data from the query. `ow` and `oh` come before
 * `w` and `h`, and `ms` (`300x250,320x50`) adds sizes. AMP writes down what its page has, such as `auto`, `100vw` and
 * `fluid`: what is no pixels counts as not given. Throws INVALID_PARAMS where it has not one imp.
 */
export function withAmpSlot(document: JsonObject, search: string): JsonObject {
  const query = new TagQuery(search);
  const [imp, ...others] = Array.isArray(document.imp) ? document.imp : [];
  if (!isObject(imp) || others.length > 0)
    throw new ApiError('INVALID_PARAMS', 'tag_id: the stored request of an AMP slot has one imp.', 'tag_id');
  const slot = query.text('slot');
  const data = targetingData(query);
  const ext = partOf(imp.ext);
  return {
    ...document,
    imp: [
      {
        ...imp,
        ...(isObject(imp.banner) && { banner: withSizes(imp.banner, query) }),
        ...(slot !== undefined && { tagid: slot }),
        ext: {
          ...ext,
          ...(data !== null && { data: { ...partOf(ext.data), ...data } }),
          prebid: withoutName(partOf(ext.prebid)),
        },
      },
    ],
    ext: { ...partOf(document.ext), prebid: { targeting: {}, ...withoutName(partOf(partOf(document.ext).prebid)) } },
  };
}

function partOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** Without the name of what was stored, which has been put in. */
function withoutName({ storedrequest: _, ...prebid }: JsonObject): JsonObject {
  return prebid;
}

function withSizes(banner: JsonObject, query: TagQuery): JsonObject {
  const w = pixelsOf(query.text('ow')) ?? pixelsOf(query.text('w'));
  const h = pixelsOf(query.text('oh')) ?? pixelsOf(query.text('h'));
  const sizes = (query.texts('ms') ?? []).flatMap((size) => sizeOf(size) ?? []);
  const format = [...(w !== undefined && h !== undefined ? [{ w, h }] : []), ...sizes];
  if (format.length === 0) return banner;
  const { w: _w, h: _h, ...rest } = banner;
  return { ...rest, format };
}

function consent(query: TagQuery): JsonObject {
  const stated = query.signal('gdpr_consent') ?? query.signal('consent_string');
  const type = query.integer('consent_type', 0, 9);
  const applies = query.oneOf('gdpr_applies', ['true', 'false']);
  const provided = query.signal('addtl_consent');
  const isGpp = stated !== undefined && (type === GPP || (type === undefined && stated.includes(GPP_SECTION)));
  const gpp = query.signal('gpp') ?? (isGpp ? stated : undefined);
  const sections = query.integers('gpp_sid', -1);
  const isUsPrivacy =
    stated !== undefined && (type === US_PRIVACY || (type === undefined && IS_US_PRIVACY.test(stated)));
  const isTcf = stated !== undefined && !isUsPrivacy && !isGpp;
  // A TCF string of which nothing is said applies.
  const gdpr = applies === undefined ? (isTcf ? 1 : undefined) : applies === 'true' ? 1 : 0;
  const regs = {
    ...(gdpr !== undefined && { gdpr }),
    ...(isUsPrivacy && { us_privacy: stated }),
    ...(gpp !== undefined && { gpp }),
    ...(sections !== undefined && { gpp_sid: sections }),
  };
  const user = {
    ...(isTcf && { consent: stated }),
    ...(provided !== undefined && { ext: { ConsentedProvidersSettings: { consented_providers: provided } } }),
  };
  return { ...(Object.keys(regs).length > 0 && { regs }), ...(Object.keys(user).length > 0 && { user }) };
}

/** `targeting`: key values of the page, as JSON. */
function targetingData(query: TagQuery): JsonObject | null {
  const stated = query.text('targeting');
  if (stated === undefined) return null;
  try {
    const data: unknown = JSON.parse(stated);
    if (isObject(data) && isWithinDepth(data, MAX_DEPTH)) return data;
  } catch {
    // The message below says it.
  }
  throw new ApiError('INVALID_PARAMS', `targeting must be a JSON object of at most ${MAX_DEPTH} levels.`, 'targeting');
}
