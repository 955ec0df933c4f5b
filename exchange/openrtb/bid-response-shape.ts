import { type Check, finite, idText, integer, listOf, nonEmptyId, object, text, textUpTo } from './shape.ts';

/**
 * The longest markup of a bid, in characters. A banner's usually has some 10,000 and a VAST document some 50,000; a
 * larger ad loads its parts (specification, "Creative specifications": a banner's initial load is 150 KB).
 */
export const MAX_MARKUP = 196_608;
/**
 * The most domains, categories, attributes and so on of one bid: each is compared with those of other bids and of the
 * request.
 */
const MAX_NAMED = 100;

export const REQUIRED_BID_FIELDS: readonly string[] = ['id', 'impid', 'price'];

/** The fields of a bid that the exchange reads, each checked by its standard type; docs/dsp.md describes their use. */
export const BID_FIELDS: Readonly<Record<string, Check>> = {
  id: nonEmptyId,
  impid: nonEmptyId,
  price: finite,
  nurl: text,
  burl: text,
  lurl: text,
  adm: textUpTo(MAX_MARKUP),
  adid: idText,
  adomain: listOf(text, MAX_NAMED),
  bundle: text,
  iurl: text,
  cid: idText,
  crid: idText,
  cat: listOf(text, MAX_NAMED),
  cattax: integer,
  attr: listOf(integer, MAX_NAMED),
  api: integer,
  apis: listOf(integer, MAX_NAMED),
  protocol: integer,
  language: text,
  dealid: idText,
  w: integer,
  h: integer,
  wratio: integer,
  hratio: integer,
  exp: integer,
  dur: integer,
  slotinpod: integer,
  mtype: integer,
};

/**
 * The fields whose defaults in generated code (Protocol Buffers, Go) say nothing: no ad is 0 wide, and no taxonomy, API
 * or protocol is 0. `slotinpod` and `exp` have a 0 of their own, and a `mtype` of 0 is no kind of markup.
 */
const BLANK_FIELDS: ReadonlySet<string> = new Set([
  ...['nurl', 'burl', 'lurl', 'adm', 'adid', 'bundle', 'iurl', 'cid', 'crid', 'language', 'dealid'],
  ...['w', 'h', 'wratio', 'hratio', 'dur', 'cattax', 'api', 'protocol'],
]);

/** The check of a bid (OpenRTB 2.6 §4.2.3). */
export const bidShape = object(BID_FIELDS, { level: 4, required: REQUIRED_BID_FIELDS, blank: BLANK_FIELDS });
