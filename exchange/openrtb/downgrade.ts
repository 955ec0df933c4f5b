import type { BidRequest, Content, Imp, Publisher, Video } from './bid-request.ts';
import { lowerFields, MOVED_FIELDS } from './moved-fields.ts';

/**
 * A request in OpenRTB 2.5. The argument is left as it is. What 2.6 added goes to its 2.5 place where it has one, and is
 * left out where it has none: a 2.5 bidder would not understand it, and some refuse what they do not know. Unknown
 * fields of the caller's own are kept. `blockedCategories` (IAB Content Taxonomy 1.0) stand in for a `bcat` in a taxonomy
 * that 2.5 cannot name.
 */
export function downgrade(request: BidRequest, blockedCategories: readonly string[]): BidRequest {
  const { regs, user, source, device, site, app, cattax = 1 } = request;
  const lowered = {
    ...omit(request, ['cattax', 'wlangb', 'acat', 'dooh']),
    imp: request.imp.map(downgradeImp),
    regs: regs && lowerFields(regs, MOVED_FIELDS.regs),
    user: user && omit(lowerFields(user, MOVED_FIELDS.user), ['kwarray']),
    source: source && lowerFields(source, MOVED_FIELDS.source),
    device: device && omit(device, ['sua', 'langb']),
    site: site && downgradeInventory(site),
    app: app && downgradeInventory(app),
  };
  if (cattax !== 1) lowered.bcat = blockedCategories.length > 0 ? blockedCategories : undefined;
  return lowered;
}

const POD_FIELDS = ['maxseq', 'poddur', 'podid', 'podseq', 'rqddurs', 'slotinpod', 'poddedupe'];
const PLAYABLE_FIELDS = [...POD_FIELDS, 'mincpmpersec', 'durfloors'];
const IMP_FIELDS = ['ssai', 'qty', 'dt', 'refresh'];
const DEAL_FIELDS = ['guar', 'mincpmpersec', 'durfloors'];

function downgradeImp(imp: Imp): Imp {
  const lowered = { ...omit(lowerFields(imp, MOVED_FIELDS.imp), IMP_FIELDS) };
  if (imp.video) lowered.video = downgradeVideo(imp.video);
  if (imp.audio) lowered.audio = omit(imp.audio, PLAYABLE_FIELDS);
  if (imp.pmp?.deals) lowered.pmp = { ...imp.pmp, deals: imp.pmp.deals.map((deal) => omit(deal, DEAL_FIELDS)) };
  return lowered;
}

/** `plcmt` values (AdCOM 1.0) that one of 2.5's `placement` values says as well: in-stream and interstitial. */
const PLACEMENT_OF_PLCMT: Readonly<Record<number, number>> = { 1: 1, 3: 5 };

function downgradeVideo(video: Video): Video {
  const lowered = omit(video, PLAYABLE_FIELDS);
  if (video.plcmt === undefined) return lowered;
  const placement = video.placement ?? PLACEMENT_OF_PLCMT[video.plcmt];
  return { ...lowered, plcmt: undefined, placement };
}

interface Categorised {
  readonly content?: Content;
  readonly publisher?: Publisher;
}

function downgradeInventory<T extends Categorised>(inventory: T): T {
  const { publisher, content } = inventory;
  return {
    ...omitCategories(omit(inventory, ['kwarray', 'inventorypartnerdomain'])),
    ...(publisher && { publisher: omitCategories(publisher) }),
    ...(content && { content: omitCategories(omit(content, CONTENT_FIELDS)) }),
  };
}

const CONTENT_FIELDS = ['kwarray', 'langb', 'network', 'channel', 'gtax', 'genres'];

/** 2.5 has one taxonomy: categories of another would be read as something else. */
function omitCategories<T extends object>(object: T): T {
  const { cattax } = object as { cattax?: unknown };
  if (cattax === undefined) return object;
  return omit(object, cattax === 1 ? ['cattax'] : ['cattax', 'cat', 'sectioncat', 'pagecat']);
}

/** The object itself when it has none of these fields. */
function omit<T extends object>(object: T, fields: readonly string[]): T {
  let rest: Record<string, unknown> | undefined;
  for (const field of fields) {
    if ((object as Record<string, unknown>)[field] === undefined) continue;
    rest ??= { ...(object as Record<string, unknown>) };
    delete rest[field];
  }
  return (rest as T | undefined) ?? object;
}
