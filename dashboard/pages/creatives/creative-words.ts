import type { Listed, Mode, ScopeKind, Seen, Standing } from './creative.ts';

type Code = Listed['findings'][number];

interface FindingWords {
  readonly title: string;
  /** What is done about it, by whoever brings the creative or by whoever shows it. */
  readonly remedy: string;
}

export const FINDING_WORDS: Readonly<Record<Code, FindingWords>> = {
  'plain-http': {
    title: 'Loads without encryption',
    remedy: 'Its demand source moves every URL to HTTPS. Secure pages show nothing that is loaded over plain HTTP.',
  },
  'too-many-redirects': {
    title: 'Too many redirects',
    remedy: 'Its demand source names the last address itself. Each step takes time, and may lead elsewhere tomorrow.',
  },
  'too-many-domains': {
    title: 'Loads from too many domains',
    remedy: 'Its demand source removes vendors. Block it where you do not know who they are.',
  },
  'too-slow': {
    title: 'Loads slowly',
    remedy:
      'Its demand source serves smaller files from nearer. A creative that is hosted here no longer waits for it.',
  },
  'too-many-wrappers': {
    title: 'Too many VAST wrappers',
    remedy: 'Its demand source sends the ad with fewer wrappers: players give up before they reach it.',
  },
  'forbidden-address': {
    title: 'Leads to an address that is not public',
    remedy: 'Block it until its demand source explains it: it asks viewers’ browsers to call private networks.',
  },
  unreachable: {
    title: 'Cannot be loaded',
    remedy: 'Its demand source repairs the address. Until then viewers see an empty place.',
  },
  'unreadable-markup': {
    title: 'Markup that cannot be read',
    remedy: 'Its demand source repairs the markup: players and pages refuse it.',
  },
  vpaid: {
    title: 'Runs a program in the player (VPAID)',
    remedy:
      'Its demand source sends plain media, or SIMID. Many players run no VPAID, and it can do anything in the page.',
  },
  'mining-script': {
    title: 'Uses the viewer’s machine to mine',
    remedy: 'Block it, and its demand source until it explains itself.',
  },
  'forced-redirect': {
    title: 'Takes the viewer to another page by itself',
    remedy: 'Block it, and report it to the operators.',
  },
  'fake-close-button': {
    title: 'Has a close button that does not close',
    remedy: 'Block it: a click that was not meant is billed, and annoys viewers.',
  },
  'wrong-advertiser-domain': {
    title: 'Leads to another advertiser than it says',
    remedy: 'Block it, or the advertiser that it really leads to. Block lists of publishers go by what it says.',
  },
  'advertiser-unknown': {
    title: 'Where it leads could not be found out',
    remedy: 'Look at the landing page yourself before you approve it.',
  },
  'too-large': { title: 'Large files', remedy: 'Its demand source encodes them smaller.' },
  recommendation: { title: 'Not as recommended', remedy: 'It serves all the same; see what is said of its file.' },
};

type ScanStatus = Listed['scan_status'];
type HostingStatus = Listed['hosting_status'];

export const SCAN_WORDS: Readonly<Record<ScanStatus, { readonly label: string; readonly colour: string }>> = {
  pending: { label: 'Not scanned yet', colour: 'yellow' },
  clean: { label: 'Clean', colour: 'green' },
  flagged: { label: 'Flagged', colour: 'red' },
  failed: { label: 'Scan failed', colour: 'orange' },
};

export const HOSTING_WORDS: Readonly<Record<HostingStatus, { readonly label: string; readonly colour: string }>> = {
  waiting: { label: 'Not hosted yet', colour: 'gray' },
  hosted: { label: 'Hosted here', colour: 'green' },
  'not-hosted': { label: 'As it comes', colour: 'gray' },
};

export const STABILITY_WORDS: Readonly<Record<Listed['stability'], string>> = {
  unknown: 'Seen too seldom to tell',
  stable: 'The same in every auction',
  dynamic: 'Differs from auction to auction',
};

export const DECLARED_WORDS: Readonly<Record<Seen['declared'], string>> = {
  auto: 'nothing: the exchange finds out',
  stable: 'that its markup does not change',
  dynamic: 'that its markup differs in every auction',
};

export const STANDING_WORDS: Readonly<Record<Standing['state'], { readonly label: string; readonly colour: string }>> =
  {
    blocked: { label: 'Blocked', colour: 'red' },
    'not-approved': { label: 'Not approved', colour: 'orange' },
    approved: { label: 'Approved', colour: 'green' },
    admitted: { label: 'Shown', colour: 'blue' },
  };

export const MODE_WORDS: Readonly<Record<Mode, { readonly label: string; readonly what: string }>> = {
  open: { label: 'Open', what: 'Everything is shown until somebody blocks it.' },
  scanned: {
    label: 'Scanned',
    what: 'Only what a scan has found nothing against is shown, and what was approved. A new creative waits for its first scan, some seconds to minutes.',
  },
  reviewed: {
    label: 'Reviewed',
    what: 'Nothing is shown before somebody approves it, its markup, its advertiser or its demand source. Until then its bids lose, and revenue with them.',
  },
};

export const SCOPE_WORDS: Readonly<Record<ScopeKind, string>> = {
  exchange: 'Exchange',
  account: 'Account',
  pool: 'Pool',
  publisher: 'Supply source',
};

export const SUBJECT_WORDS = {
  creative: 'Creative',
  fingerprint: 'Markup',
  advertiser: 'Advertiser',
  category: 'Category',
  attribute: 'Attribute',
  demand_source: 'Demand source',
} as const;

export const REPORT_WORDS = {
  malware: 'Malware, or takes viewers elsewhere',
  deceptive: 'Deceives viewers',
  offensive: 'Offends',
  wrong_category: 'Says a wrong category or advertiser',
  other: 'Something else',
} as const;
