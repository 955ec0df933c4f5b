/**
 * The OpenRTB 2.x bid request as the exchange knows it (OpenRTB 2.5 §3.2, 2.6 §3.2).
 *
 * The types name what the exchange reads or changes. Every object may carry more: fields that are not named here, and
 * `ext`, stay in the document and go out to the bidders as they came in. Prices are USD CPM as the standard writes them
 * (a float); whole micro-dollars begin at `exchange/auction/floors.ts`.
 */

/** What a sender adds beyond the standard; never interpreted, except where `signals.ts` says so. */
export type Ext = Readonly<Record<string, unknown>>;

/** 0 or 1. */
export type Flag = 0 | 1;

/** §3.2.1 */
export interface BidRequest {
  readonly id: string;
  /** One or more; ids are unique within the request. */
  readonly imp: readonly Imp[];
  /** At most one of `site`, `app` and `dooh`. */
  readonly site?: Site;
  readonly app?: App;
  readonly dooh?: Dooh;
  readonly device?: Device;
  readonly user?: User;
  readonly test?: Flag;
  readonly at?: number;
  /** Milliseconds that the caller waits, its network included. */
  readonly tmax?: number;
  readonly wseat?: readonly string[];
  readonly bseat?: readonly string[];
  readonly allimps?: Flag;
  readonly cur?: readonly string[];
  readonly wlang?: readonly string[];
  readonly wlangb?: readonly string[];
  readonly acat?: readonly string[];
  readonly bcat?: readonly string[];
  /** Taxonomy of `bcat`; 1 (IAB Content Taxonomy 1.0) when absent. */
  readonly cattax?: number;
  readonly badv?: readonly string[];
  readonly bapp?: readonly string[];
  readonly source?: Source;
  readonly regs?: Regs;
  readonly ext?: Ext;
}

/** §3.2.2 */
export interface Source {
  readonly fd?: Flag;
  readonly tid?: string;
  readonly pchain?: string;
  readonly schain?: SupplyChain;
  readonly ext?: Ext;
}

/** §3.2.25 */
export interface SupplyChain {
  readonly complete: Flag;
  readonly ver: string;
  readonly nodes: readonly SupplyChainNode[];
  readonly ext?: Ext;
}

/** §3.2.26 */
export interface SupplyChainNode {
  readonly asi: string;
  readonly sid: string;
  readonly rid?: string;
  readonly name?: string;
  readonly domain?: string;
  readonly hp?: Flag;
  readonly ext?: Ext;
}

/** §3.2.3 */
export interface Regs {
  readonly coppa?: Flag;
  readonly gdpr?: Flag;
  readonly us_privacy?: string;
  readonly gpp?: string;
  readonly gpp_sid?: readonly number[];
  readonly ext?: Ext;
}

/** §3.2.4; offers at least one of banner, video, audio and native. */
export interface Imp {
  readonly id: string;
  readonly banner?: Banner;
  readonly video?: Video;
  readonly audio?: Audio;
  readonly native?: Native;
  readonly pmp?: Pmp;
  readonly displaymanager?: string;
  readonly displaymanagerver?: string;
  readonly instl?: Flag;
  readonly tagid?: string;
  /** CPM in `bidfloorcur`. */
  readonly bidfloor?: number;
  /** USD when absent. */
  readonly bidfloorcur?: string;
  readonly clickbrowser?: Flag;
  readonly secure?: Flag;
  readonly rwdd?: Flag;
  readonly ssai?: number;
  readonly exp?: number;
  readonly ext?: Ext;
}

/** §3.2.6; sizes are recommended, not required. */
export interface Banner {
  readonly format?: readonly Format[];
  readonly w?: number;
  readonly h?: number;
  readonly wmax?: number;
  readonly hmax?: number;
  readonly wmin?: number;
  readonly hmin?: number;
  readonly btype?: readonly number[];
  readonly battr?: readonly number[];
  readonly pos?: number;
  readonly mimes?: readonly string[];
  readonly topframe?: Flag;
  readonly expdir?: readonly number[];
  readonly api?: readonly number[];
  readonly id?: string;
  readonly vcm?: Flag;
  readonly ext?: Ext;
}

/** §3.2.10: either `w` and `h`, or `wratio` and `hratio` (flex ads). */
export interface Format {
  readonly w?: number;
  readonly h?: number;
  readonly wratio?: number;
  readonly hratio?: number;
  readonly wmin?: number;
  readonly ext?: Ext;
}

/** §3.2.35: a floor (CPM) for creatives of these durations. */
export interface DurationFloor {
  readonly mindur?: number;
  readonly maxdur?: number;
  readonly bidfloor?: number;
  readonly ext?: Ext;
}

/** What video and audio share (§3.2.7, §3.2.8). */
interface Playable {
  readonly mimes: readonly string[];
  readonly minduration?: number;
  readonly maxduration?: number;
  readonly protocols?: readonly number[];
  readonly startdelay?: number;
  readonly sequence?: number;
  readonly battr?: readonly number[];
  readonly maxextended?: number;
  readonly minbitrate?: number;
  readonly maxbitrate?: number;
  readonly delivery?: readonly number[];
  readonly companionad?: readonly Banner[];
  readonly companiontype?: readonly number[];
  readonly api?: readonly number[];
  readonly durfloors?: readonly DurationFloor[];
  /** Seconds of a pod's dynamic portion, §7.6. */
  readonly poddur?: number;
  readonly podid?: string;
  readonly podseq?: number;
  readonly slotinpod?: number;
  readonly maxseq?: number;
  /** Exactly these durations, seconds; instead of `minduration` and `maxduration`. */
  readonly rqddurs?: readonly number[];
  /** A floor: CPM for a second. */
  readonly mincpmpersec?: number;
  readonly poddedupe?: readonly number[];
  readonly ext?: Ext;
}

/** §3.2.7 */
export interface Video extends Playable {
  readonly w?: number;
  readonly h?: number;
  readonly placement?: number;
  readonly plcmt?: number;
  readonly linearity?: number;
  readonly skip?: Flag;
  readonly pos?: number;
}

/** §3.2.8 */
export interface Audio extends Playable {
  readonly feed?: number;
  readonly stitched?: Flag;
}

/** §3.2.9; `request` is a Native 1.x request as JSON text, bare or wrapped in `{"native": …}`. */
export interface Native {
  readonly request: string;
  readonly ver?: string;
  readonly api?: readonly number[];
  readonly battr?: readonly number[];
  readonly ext?: Ext;
}

/** §3.2.11 */
export interface Pmp {
  /** 1: only bids on these deals count. */
  readonly private_auction?: Flag;
  readonly deals?: readonly Deal[];
  readonly ext?: Ext;
}

/** §3.2.12 */
export interface Deal {
  readonly id: string;
  readonly bidfloor?: number;
  readonly bidfloorcur?: string;
  /** 3: `bidfloor` is the agreed price. */
  readonly at?: number;
  readonly wseat?: readonly string[];
  readonly wadomain?: readonly string[];
  readonly durfloors?: readonly DurationFloor[];
  readonly ext?: Ext;
}

/** §3.2.15 */
export interface Publisher {
  readonly id?: string;
  readonly domain?: string;
  readonly cat?: readonly string[];
  readonly ext?: Ext;
}

/** §3.2.16 */
export interface Content {
  readonly id?: string;
  readonly genre?: string;
  readonly cat?: readonly string[];
  readonly len?: number;
  readonly livestream?: Flag;
  readonly language?: string;
  readonly ext?: Ext;
}

/** What site, app and dooh share. */
interface Inventory {
  readonly id?: string;
  readonly domain?: string;
  readonly cat?: readonly string[];
  readonly publisher?: Publisher;
  readonly content?: Content;
  readonly ext?: Ext;
}

/** §3.2.13 */
export interface Site extends Inventory {
  readonly page?: string;
  readonly ref?: string;
  readonly mobile?: Flag;
}

/** §3.2.14 */
export interface App extends Inventory {
  readonly bundle?: string;
  readonly storeurl?: string;
}

/** §3.2.32 (2.6 only) */
export type Dooh = Inventory;

/** §3.2.18 */
export interface Device {
  readonly geo?: Geo;
  readonly dnt?: Flag;
  readonly lmt?: Flag;
  readonly ua?: string;
  readonly sua?: Ext;
  readonly ip?: string;
  readonly ipv6?: string;
  readonly devicetype?: number;
  readonly make?: string;
  readonly model?: string;
  readonly os?: string;
  readonly osv?: string;
  readonly w?: number;
  readonly h?: number;
  readonly js?: Flag;
  readonly language?: string;
  readonly connectiontype?: number;
  readonly ifa?: string;
  readonly ext?: Ext;
}

/** §3.2.19 */
export interface Geo {
  readonly lat?: number;
  readonly lon?: number;
  readonly type?: number;
  readonly country?: string;
  readonly region?: string;
  readonly metro?: string;
  readonly city?: string;
  readonly zip?: string;
  readonly utcoffset?: number;
  readonly ext?: Ext;
}

/** §3.2.20 */
export interface User {
  readonly id?: string;
  readonly buyeruid?: string;
  readonly consent?: string;
  readonly eids?: readonly Eid[];
  readonly geo?: Geo;
  readonly ext?: Ext;
}

/** §3.2.27 */
export interface Eid {
  readonly source?: string;
  readonly uids?: readonly { readonly id?: string; readonly atype?: number; readonly ext?: Ext }[];
  readonly ext?: Ext;
}
