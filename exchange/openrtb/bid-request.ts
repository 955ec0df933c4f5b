import { DEVICE } from './fields/device.ts';
import {
  count,
  field,
  filledId,
  filledListOf,
  flag,
  integer,
  type Known,
  listOf,
  objectOf,
  required,
  tableOf,
  text,
} from './fields/field.ts';
import { IMP, type Imp } from './fields/imp.ts';
import { APP, DOOH, SITE } from './fields/inventory.ts';
import { REGS } from './fields/regs.ts';
import { SOURCE } from './fields/source.ts';
import { USER } from './fields/user.ts';
import { type Fault, fault, type JsonObject } from './shape.ts';

/**
 * The OpenRTB 2.x bid request as the exchange knows it (OpenRTB 2.5 §3.2, 2.6 §3.2). `fields/` declares its parts.
 *
 * The types name what the exchange reads or changes. Every object may have more: fields that are not named here, and
 * `ext`, stay in the document and are sent to the bidders as they were received. Prices are USD CPM as the standard
 * writes them (a float); `exchange/auction/floors.ts` converts them to whole micro-dollars.
 */

/** The most imps of one request; each is an auction. */
export const MAX_IMPS = 50;
/** The most entries of a block list or an allow list. */
const MAX_LISTED = 10_000;

const fields = {
  id: required(filledId),
  /** One or more; ids are unique within the request. */
  imp: required(filledListOf(objectOf(IMP), MAX_IMPS)),
  /** At most one of `site`, `app` and `dooh`. */
  site: objectOf(SITE),
  app: objectOf(APP),
  dooh: field(objectOf(DOOH), { in25: 'absent' }),
  device: objectOf(DEVICE),
  user: field(objectOf(USER), { viewer: 'trait' }),
  test: flag,
  at: integer,
  /** Milliseconds that the caller waits, including its network. */
  tmax: count,
  wseat: listOf(text),
  bseat: listOf(text),
  allimps: flag,
  cur: listOf(text),
  wlang: listOf(text),
  wlangb: field(listOf(text), { in25: 'absent' }),
  acat: field(listOf(text, MAX_LISTED), { in25: 'absent' }),
  bcat: listOf(text, MAX_LISTED),
  /** The taxonomy of `bcat`; 1 (IAB Content Taxonomy 1.0) when absent. */
  cattax: field(integer, { in25: 'absent' }),
  badv: listOf(text, MAX_LISTED),
  bapp: listOf(text, MAX_LISTED),
  source: objectOf(SOURCE),
  regs: objectOf(REGS),
};

/** The bid request object: OpenRTB 2.6 §3.2.1. */
export interface BidRequest extends Known<typeof fields> {}

export const BID_REQUEST = tableOf<BidRequest>(fields, {
  ext: { checked: true },
  also: (request) => impIdFault(request.imp as readonly Imp[]) ?? inventoryFault(request),
});

function impIdFault(imps: readonly Imp[]): Fault | undefined {
  if (imps.length === 1) return undefined;
  const seen = new Set<string>();
  for (let index = 0; index < imps.length; index++) {
    const { id } = imps[index]!;
    if (seen.has(id)) return fault(`repeats the id ${id}`, `imp[${index}].id`);
    seen.add(id);
  }
  return undefined;
}

function inventoryFault({ site, app, dooh }: JsonObject): Fault | undefined {
  if ((site ? 1 : 0) + (app ? 1 : 0) + (dooh ? 1 : 0) <= 1) return undefined;
  return fault('at most one of site, app and dooh may be given', dooh ? 'dooh' : 'app');
}
