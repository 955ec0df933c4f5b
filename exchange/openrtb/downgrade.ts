import type { Audio, BidRequest, Content, Imp, Publisher, Video } from './bid-request.ts';
import { lowerFields, MOVED_FIELDS } from './moved-fields.ts';
import { type Mutable, omit, shallowCopy } from './shallow-copy.ts';

const REQUEST_FIELDS = ['cattax', 'wlangb', 'acat', 'dooh'];
const IMP_FIELDS = ['ssai', 'qty', 'dt', 'refresh'];
const POD_FIELDS = ['maxseq', 'poddur', 'podid', 'podseq', 'rqddurs', 'slotinpod', 'poddedupe'];
const PLAYABLE_FIELDS = [...POD_FIELDS, 'mincpmpersec', 'durfloors'];
const DEAL_FIELDS = ['guar', 'mincpmpersec', 'durfloors'];
const INVENTORY_FIELDS = ['kwarray', 'inventorypartnerdomain'];
const CONTENT_FIELDS = ['kwarray', 'langb', 'network', 'channel', 'gtax', 'genres'];
const DEVICE_FIELDS = ['sua', 'langb'];

/**
 * Turns a copy of a request into OpenRTB 2.5. What 2.6 added goes to its 2.5 place where it has one, and is left out
 * where it has none: a 2.5 bidder would not understand it, and some refuse what they do not know. Unknown fields of the
 * caller's own are kept. `blockedCategories` (IAB Content Taxonomy 1.0) stand in for a `bcat` in a taxonomy that 2.5 cannot
 * name.
 */
export function downgrade(request: Mutable<BidRequest>, blockedCategories: readonly string[]): void {
  request.imp = request.imp.map(downgradeImp);
  if (request.regs) request.regs = lowerFields(request.regs, MOVED_FIELDS.regs);
  if (request.user) request.user = omit(lowerFields(request.user, MOVED_FIELDS.user), ['kwarray']);
  if (request.source) request.source = lowerFields(request.source, MOVED_FIELDS.source);
  if (request.device) request.device = omit(request.device, DEVICE_FIELDS);
  if (request.site) request.site = downgradeInventory(request.site);
  if (request.app) request.app = downgradeInventory(request.app);
  if ((request.cattax ?? 1) !== 1) request.bcat = blockedCategories;
  const open = request as Record<string, unknown>;
  for (const field of REQUEST_FIELDS) {
    if (open[field] !== undefined) open[field] = undefined;
  }
}

function downgradeImp(imp: Imp): Imp {
  const lowered = omit(lowerFields(imp, MOVED_FIELDS.imp), IMP_FIELDS);
  const { video, audio, pmp } = lowered;
  if (!video && !audio && !pmp) return lowered;
  const copy = shallowCopy(lowered);
  if (video) copy.video = downgradeVideo(video);
  if (audio) copy.audio = downgradePlayable(audio);
  if (pmp?.deals) copy.pmp = { ...pmp, deals: pmp.deals.map((deal) => omit(deal, DEAL_FIELDS)) };
  return copy;
}

/**
 * 2.5 knows no pods: of one, or of a part of one, its bidders see the place of a single ad. Whatever that may last there
 * is said in 2.5's words: no longer than the break (`poddur`), as short and as long as the durations asked for (`rqddurs`).
 */
function downgradePlayable<T extends Video | Audio>(part: T): T {
  const { poddur, rqddurs } = part;
  const lowered = omit(part, PLAYABLE_FIELDS);
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

function downgradeVideo(video: Video): Video {
  const lowered = downgradePlayable(video);
  if (video.plcmt === undefined) return lowered;
  const copy = shallowCopy(lowered, ['plcmt']);
  copy.placement ??= PLACEMENT_OF_PLCMT[video.plcmt];
  return copy;
}

interface Categorised {
  readonly content?: Content;
  readonly publisher?: Publisher;
}

function downgradeInventory<T extends Categorised>(inventory: T): T {
  const lowered = omitCategories(omit(inventory, INVENTORY_FIELDS));
  const publisher = inventory.publisher && omitCategories(inventory.publisher);
  const content = inventory.content && omitCategories(omit(inventory.content, CONTENT_FIELDS));
  if (publisher === inventory.publisher && content === inventory.content) return lowered;
  return Object.assign(shallowCopy(lowered), { publisher, content });
}

/** 2.5 has one taxonomy: categories of another would be read as something else. */
function omitCategories<T extends object>(object: T): T {
  const { cattax } = object as { cattax?: unknown };
  if (cattax === undefined) return object;
  return omit(object, cattax === 1 ? ['cattax'] : ['cattax', 'cat', 'sectioncat', 'pagecat']);
}
