/**
 * The fields of an OpenRTB 2.5 or 2.6 bid request (2.6 §3.2) that a condition can address, with `imp` for the imp that is
 * bid on. Lists are addressed as their elements. Below any `ext` every path is somebody's own.
 */
export type FieldKind = 'text' | 'number' | 'version' | 'country' | 'object' | 'ext';

interface Fields {
  readonly [name: string]: FieldKind | Fields;
}

function fields(texts: string, numbers: string, others: Fields = {}): Fields {
  const named = (names: string, kind: FieldKind): [string, FieldKind][] =>
    names === '' ? [] : names.split(' ').map((name) => [name, kind]);
  return { ...Object.fromEntries([...named(texts, 'text'), ...named(numbers, 'number')]), ...others, ext: 'ext' };
}

const geo: Fields = {
  ...fields('region regionfips104 metro city zip', 'lat lon type accuracy lastfix ipservice utcoffset'),
  country: 'country',
};
const brand = fields('brand version', '');
const device = fields(
  'ua ip ipv6 make model os flashver language langb carrier mccmnc ifa didsha1 didmd5 dpidsha1 dpidmd5 macsha1 macmd5',
  'dnt lmt devicetype h w ppi pxratio js geofetch connectiontype',
  {
    osv: 'version',
    hwv: 'version',
    geo,
    sua: fields('model architecture bitness', 'mobile source', { browsers: brand, platform: brand }),
  },
);

const organisation = fields('id name cat domain', 'cattax');
const content = fields(
  'id title series season artist genre album isrc url cat contentrating userrating keywords kwarray language langb',
  'episode gtax genres cattax prodq videoquality context qagmediarating livestream sourcerelationship len embeddable',
  { producer: organisation, network: fields('id name domain', ''), channel: fields('id name domain', '') },
);
const publisher = organisation;
const inventory = { publisher, content };
const site = fields(
  'id name domain cat sectioncat pagecat page ref search keywords kwarray inventorypartnerdomain',
  'cattax mobile privacypolicy',
  inventory,
);
const app = fields(
  'id name bundle domain storeurl cat sectioncat pagecat keywords kwarray inventorypartnerdomain',
  'cattax privacypolicy paid',
  { ver: 'version', ...inventory },
);
const dooh = fields('id name venuetype domain keywords', 'venuetypetax', inventory);

const format = fields('', 'w h wratio hratio wmin');
const banner = fields('mimes id', 'w h wmax hmax wmin hmin btype battr pos topframe expdir api vcm', { format });
const durfloors = fields('', 'mindur maxdur bidfloor');
const playableNumbers =
  'minduration maxduration poddur protocols startdelay rqddurs podseq sequence slotinpod mincpmpersec battr maxextended minbitrate maxbitrate delivery api companiontype maxseq';
const video = fields(
  'mimes podid',
  `${playableNumbers} protocol w h placement plcmt linearity skip skipmin skipafter boxingallowed playbackmethod playbackend pos`,
  { companionad: banner, durfloors },
);
const audio = fields('mimes podid', `${playableNumbers} feed stitched nvol`, { companionad: banner, durfloors });
const imp = fields(
  'id displaymanager tagid bidfloorcur iframebuster',
  'instl bidfloor clickbrowser secure rwdd ssai exp dt',
  {
    displaymanagerver: 'version',
    metric: fields('type vendor', 'value'),
    banner,
    video,
    audio,
    native: fields('request', 'api battr', { ver: 'version' }),
    pmp: fields('', 'private_auction', {
      deals: fields('id bidfloorcur wseat wadomain', 'bidfloor at guar mincpmpersec', { durfloors }),
    }),
    qty: fields('vendor', 'multiplier sourcetype'),
  },
);

const request = fields('id cur wlang wlangb wseat bseat acat bcat badv bapp', 'test at tmax allimps cattax', {
  imp,
  site,
  app,
  dooh,
  device,
  user: fields('id buyeruid gender keywords kwarray customdata consent', 'yob', {
    geo,
    data: fields('id name', '', { segment: fields('id name value', '') }),
    eids: fields('source', '', { uids: fields('id', 'atype') }),
  }),
  source: fields('tid pchain', 'fd', {
    schain: fields('', 'complete', { ver: 'version', nodes: fields('asi sid rid name domain', 'hp') }),
  }),
  regs: fields('us_privacy gpp', 'coppa gdpr gpp_sid'),
});

/** What a condition may begin with besides the names of the request itself. */
const roots: Fields = { ...request, geo, content };

const name = /^[A-Za-z_][\w-]*$/;

/** What a path leads to; null when it is no path of a bid request. */
export function fieldKind(path: string): FieldKind | null {
  const steps = path.split('.');
  let at: FieldKind | Fields = roots;
  for (const [index, step] of steps.entries()) {
    if (!name.test(step)) return null;
    if (at === 'ext') return steps.slice(index).every((rest) => name.test(rest)) ? 'ext' : null;
    if (typeof at === 'string' || !Object.hasOwn(at, step)) return null;
    at = at[step]!;
  }
  return typeof at === 'string' ? at : 'object';
}
