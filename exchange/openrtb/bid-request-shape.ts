import { nativeRequestText } from './native-request-shape.ts';
import {
  type Check,
  count,
  type Fault,
  fault,
  filledId,
  filledListOf,
  finite,
  flag,
  integer,
  type JsonObject,
  listOf,
  numeric,
  object,
  text,
} from './shape.ts';

/**
 * What OpenRTB 2.5 and 2.6 demand of a bid request, and nothing more: structure, required fields, ids, numbers, flags
 * and lists. Free text that only buyers read (names, titles, keywords) and enumerations that grow are passed on as they
 * came. `bidfloor` is only checked to be a number here; `parse-bid-request.ts` judges it.
 */

/** Imps of one request: an auction each. */
const MAX_IMPS = 50;
/** Entries of a block list or an allow list. */
const MAX_LISTED = 10_000;

const texts = listOf(text);
const blockList = listOf(text, MAX_LISTED);
const integers = listOf(integer);

const SIZE_OR_RATIO = fault('must define w and h, or wratio and hratio');
function banner(level: number): Check {
  const format = object(
    { w: count, h: count, wratio: count, hratio: count, wmin: count },
    {
      level: level + 2,
      also: ({ w, h, wratio, hratio }) => {
        const halves = (w ? 1 : 0) !== (h ? 1 : 0) || (wratio ? 1 : 0) !== (hratio ? 1 : 0);
        return halves || !(w || wratio) ? SIZE_OR_RATIO : undefined;
      },
    },
  );
  return object(
    {
      format: listOf(format),
      w: count,
      h: count,
      wmax: count,
      hmax: count,
      wmin: count,
      hmin: count,
      btype: integers,
      battr: integers,
      pos: integer,
      mimes: texts,
      topframe: flag,
      expdir: integers,
      api: integers,
      id: text,
      vcm: flag,
    },
    { level },
  );
}

const durationFloorFields: Record<string, Check> = { mindur: count, maxdur: count, bidfloor: numeric };
const durationFloor = object(durationFloorFields, { level: 5 });
const dealDurationFloor = object(durationFloorFields, { level: 7 });

const playableFields: Record<string, Check> = {
  mimes: filledListOf(text),
  minduration: count,
  maxduration: count,
  protocols: integers,
  startdelay: integer,
  sequence: count,
  battr: integers,
  maxextended: integer,
  minbitrate: count,
  maxbitrate: count,
  delivery: integers,
  companionad: listOf(banner(5)),
  companiontype: integers,
  api: integers,
  durfloors: listOf(durationFloor),
  poddur: count,
  podid: text,
  podseq: integer,
  slotinpod: integer,
  maxseq: count,
  rqddurs: integers,
  mincpmpersec: numeric,
  poddedupe: integers,
};
const video = object(
  {
    ...playableFields,
    w: count,
    h: count,
    placement: integer,
    plcmt: integer,
    linearity: integer,
    skip: flag,
    pos: integer,
  },
  { level: 3, required: ['mimes'] },
);
const audio = object({ ...playableFields, feed: integer, stitched: flag }, { level: 3, required: ['mimes'] });

const native = object(
  { request: nativeRequestText, ver: text, api: integers, battr: integers },
  { level: 3, required: ['request'] },
);

const deal = object(
  {
    id: filledId,
    bidfloor: numeric,
    bidfloorcur: text,
    at: integer,
    wseat: texts,
    wadomain: texts,
    durfloors: listOf(dealDurationFloor),
  },
  { level: 5, required: ['id'] },
);
const pmp = object({ private_auction: flag, deals: listOf(deal) }, { level: 3 });

const NO_FORMAT = fault('must offer at least one of banner, video, audio and native');
const imp = object(
  {
    id: filledId,
    banner: banner(3),
    video,
    audio,
    native,
    pmp,
    displaymanager: text,
    displaymanagerver: text,
    instl: flag,
    tagid: text,
    bidfloor: numeric,
    bidfloorcur: text,
    clickbrowser: flag,
    secure: flag,
    rwdd: flag,
    ssai: integer,
    exp: integer,
    ext: object({ rwdd: flag }, { level: 3 }),
  },
  {
    level: 2,
    required: ['id'],
    also: (value) => ((value.banner ?? value.video ?? value.audio ?? value.native) ? undefined : NO_FORMAT),
  },
);

const publisher = object({ id: text, domain: text, cat: texts }, { level: 2 });
const content = object(
  { id: text, genre: text, cat: texts, len: integer, livestream: flag, language: text },
  { level: 2 },
);
const inventoryFields: Record<string, Check> = { id: text, domain: text, cat: texts, publisher, content };
const site = object({ ...inventoryFields, page: text, ref: text, mobile: flag }, { level: 1 });
const app = object({ ...inventoryFields, bundle: text, storeurl: text }, { level: 1 });
const dooh = object(inventoryFields, { level: 1 });

const geo = object(
  {
    lat: finite,
    lon: finite,
    type: integer,
    country: text,
    region: text,
    metro: text,
    city: text,
    zip: text,
    utcoffset: integer,
  },
  { level: 2 },
);
const device = object(
  {
    geo,
    dnt: flag,
    lmt: flag,
    ua: text,
    sua: object({}, { level: 2 }),
    ip: text,
    ipv6: text,
    devicetype: integer,
    make: text,
    model: text,
    os: text,
    osv: text,
    w: count,
    h: count,
    js: flag,
    language: text,
    connectiontype: integer,
    ifa: text,
  },
  { level: 1 },
);

/** Enclosing levels of the two places where a 2.5 and a 2.6 request keep the same thing: in the object, in its `ext`. */
function consentFields(level: number): Record<string, Check> {
  const uid = object({ id: text, atype: integer }, { level: level + 4 });
  const eid = object({ source: text, uids: listOf(uid) }, { level: level + 2 });
  return { consent: text, eids: listOf(eid) };
}
const user = object(
  { id: text, buyeruid: text, geo, ...consentFields(1), ext: object(consentFields(2), { level: 2 }) },
  { level: 1 },
);

const privacyFields: Record<string, Check> = { gdpr: flag, us_privacy: text, gpp: text, gpp_sid: integers };
const regs = object({ coppa: flag, ...privacyFields, ext: object(privacyFields, { level: 2 }) }, { level: 1 });

function supplyChain(level: number): Check {
  const node = object({ asi: text, sid: text, rid: text, hp: flag }, { level: level + 2 });
  return object({ complete: flag, ver: text, nodes: listOf(node) }, { level, required: ['nodes'] });
}
const source = object(
  {
    fd: flag,
    tid: text,
    pchain: text,
    schain: supplyChain(2),
    ext: object({ schain: supplyChain(3) }, { level: 2 }),
  },
  { level: 1 },
);

/** A bid request (OpenRTB 2.6 §3.2.1). */
export const bidRequestShape = object(
  {
    id: filledId,
    imp: filledListOf(imp, MAX_IMPS),
    site,
    app,
    dooh,
    device,
    user,
    test: flag,
    at: integer,
    tmax: count,
    wseat: texts,
    bseat: texts,
    allimps: flag,
    cur: texts,
    wlang: texts,
    wlangb: texts,
    acat: blockList,
    bcat: blockList,
    cattax: integer,
    badv: blockList,
    bapp: blockList,
    source,
    regs,
    ext: object({}, { level: 1 }),
  },
  {
    level: 0,
    required: ['id', 'imp'],
    also: (value) => impIdFault(value.imp as JsonObject[]) ?? inventoryFault(value),
  },
);

function impIdFault(imps: readonly JsonObject[]): Fault | undefined {
  if (imps.length === 1) return undefined;
  const seen = new Set<unknown>();
  for (let index = 0; index < imps.length; index++) {
    const id = imps[index]!.id;
    if (seen.has(id)) return fault(`repeats the id ${id}`, `imp[${index}].id`);
    seen.add(id);
  }
  return undefined;
}

function inventoryFault({ site, app, dooh }: JsonObject): Fault | undefined {
  if ((site ? 1 : 0) + (app ? 1 : 0) + (dooh ? 1 : 0) <= 1) return undefined;
  return fault('at most one of site, app and dooh may be given', dooh ? 'dooh' : 'app');
}
