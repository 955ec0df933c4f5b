import Type, { type Static } from 'typebox';
import { Nullable, Timestamp } from '#actors/api-schemas';
import { CreativeFormat, CreativesDeclared } from '#actors/creative/messages';
import type { CreativeState } from '#actors/creative/reduce';
import { FINDINGS, type FindingCode } from '#actors/creative/scan';
import { REVIEW_SCOPES } from '#exchange/creative/review-scope';

export const ScopeKind = Type.Enum([...REVIEW_SCOPES], {
  description: 'Whose ads it is about: of one supply source, of a pool, of an account, or of the whole exchange.',
});
export const ScopeId = Type.String({
  description: 'The id of the supply source, pool or account; empty for the exchange.',
});

const FINDING_CODES = Object.keys(FINDINGS) as FindingCode[];
const Count = (description: string) => Type.Integer({ minimum: 0, description });
const Texts = (description: string) => Type.Array(Type.String(), { description });

const OwnDecision = Type.Object(
  {
    scope: ScopeKind,
    scope_id: ScopeId,
    decision: Type.Enum(['block', 'approve']),
    reason: Type.String({ description: 'As whoever decided put it.' }),
    decided_at: Timestamp,
  },
  { title: 'CreativeDecision' },
);

const STATUSES = {
  stability: Type.Enum(['unknown', 'stable', 'dynamic'], {
    description: 'Whether its markup is the same in every auction; `unknown` until it was seen often enough.',
  }),
  scan: Type.Enum(['pending', 'clean', 'flagged', 'failed'], {
    description: '`flagged`: a scan has found a violation. `failed`: no scan could be finished so far.',
  }),
  hosting: Type.Enum(['waiting', 'hosted', 'not-hosted'], {
    description:
      '`hosted`: served from the exchange’s own hosts, unwrapped. `not-hosted`: its markup passes as it comes.',
  }),
};
export const Stability = STATUSES.stability;
export const ScanStatus = STATUSES.scan;
export const HostingStatus = STATUSES.hosting;

const listedFields = {
  id: Type.String({ description: '32 hexadecimal characters.' }),
  dsp_id: Type.String(),
  dsp_name: Type.String(),
  campaign_id: Nullable(Type.String({ description: "A delegate's campaign; null for a bidder's creative." })),
  crid: Type.String(),
  fingerprint: Nullable(
    Type.String({
      description:
        'Of its markup, without macros, auction ids and cache busters; null where the markup differs in every auction, and the creative stands for all of this `crid`.',
    }),
  ),
  stability: STATUSES.stability,
  sandbox: Type.Boolean(),
  formats: Type.Array(CreativeFormat),
  sizes: Texts('`300x250`.'),
  advertiser_domains: Texts('As bids declare them.'),
  categories: Texts('As bids declare them; see `category_taxonomy`.'),
  category_taxonomy: Type.Integer({
    description: 'As `cattax` of OpenRTB numbers it: 1 for IAB Content Taxonomy 1.0.',
  }),
  attributes: Type.Array(Type.Integer(), { description: 'Creative attributes, as AdCOM numbers them.' }),
  first_seen_at: Timestamp,
  last_seen_at: Timestamp,
  sightings: Count('Auctions in which edges looked at its markup: a sample.'),
  wins: Count('Auctions that it won, as edges told; what is billed stands in `figures`.'),
  refusals: Count('Bids that lost because it was blocked or not approved.'),
  scan_status: STATUSES.scan,
  hosting_status: STATUSES.hosting,
  findings: Type.Array(Type.Enum(FINDING_CODES), { description: 'What the last scan found, each once.' }),
  report_count: Count('Reports about it that are kept.'),
  decisions: Type.Array(OwnDecision, {
    description:
      'What was decided about this creative itself, the newest first. Other decisions hold too: see `review`.',
  }),
  changed_at: { ...Timestamp, description: 'When what its demand source is told of it last changed.' },
};

/** A creative as one entry of a list. */
export const CreativeListed = Type.Object(listedFields, { title: 'CreativeListed' });
export type CreativeListed = Static<typeof CreativeListed>;

const Finding = Type.Object(
  {
    code: Type.Enum(FINDING_CODES),
    severity: Type.Enum(['violation', 'warning'], { description: 'A violation makes the creative `flagged`.' }),
    message: Type.String(),
    url: Nullable(Type.String({ description: 'Where it was found, without its query.' })),
  },
  { title: 'CreativeFinding' },
);

const Scan = Type.Object(
  {
    status: STATUSES.scan,
    scanned_at: Nullable(Timestamp),
    next_scan_at: Timestamp,
    failure: Nullable(Type.String({ description: 'Why the last scan could not be finished.' })),
    findings: Type.Array(Finding),
    report: Nullable(
      Type.Object({
        domains: Texts('Registrable domains that it loads from, in the order in which they were met.'),
        redirects: Count('Of the longest chain.'),
        wrappers: Count('VAST wrappers before the ad.'),
        load_ms: Count('From the first request to the last byte that was needed.'),
        bytes: Count('Of all that was loaded.'),
        landing_domain: Nullable(
          Type.String({
            description: 'The registrable domain that the landing page ends at; null where none can be read.',
          }),
        ),
        screenshot_url: Nullable(Type.String({ description: 'A picture of it; null where none was taken.' })),
      }),
    ),
    media: Type.Array(
      Type.Object({
        use: Type.Enum(['media', 'image', 'companion']),
        container: Nullable(Type.String()),
        bytes: Count('Of the file.'),
        duration_ms: Nullable(Type.Integer()),
        bitrate_kbps: Nullable(Type.Integer()),
        width: Nullable(Type.Integer()),
        height: Nullable(Type.Integer()),
      }),
      { description: 'The files that its markup names.' },
    ),
  },
  { title: 'CreativeScan' },
);

const Hosting = Type.Object(
  {
    status: STATUSES.hosting,
    reason: Nullable(Type.String({ description: 'Why it is not hosted.' })),
    files: Type.Array(Type.String(), { description: 'URLs of the hosted files that its markup refers to.' }),
  },
  { title: 'CreativeHosting' },
);

const Cause = Type.Object({
  kind: Type.Enum(['rule', 'mode'], { description: 'A decision, or what a scope admits without one.' }),
  scope: ScopeKind,
  scope_id: ScopeId,
  rule_id: Nullable(Type.String({ description: 'The decision; null for a mode.' })),
  subject: Nullable(Type.String({ description: 'What the decision names; null for a mode.' })),
  value: Nullable(Type.String({ description: 'Which of these it names; null for a mode.' })),
  mode: Nullable(Type.String({ description: 'What the scope admits; null for a decision.' })),
  reason: Nullable(Type.String({ description: 'As whoever decided put it; null for a mode.' })),
});

export const ReviewStanding = Type.Object(
  {
    scope: ScopeKind,
    scope_id: ScopeId,
    scope_name: Type.String({ description: 'What people call the supply source, pool or account.' }),
    state: Type.Enum(['blocked', 'not-approved', 'approved', 'admitted'], {
      description:
        '`blocked`: its bids lose as `creative-blocked`. `not-approved`: a mode in the chain of scopes does not admit it, and its bids lose as `creative-not-approved`. `approved`: by a decision. `admitted`: nothing is against it.',
    }),
    mode: Type.Enum(['open', 'scanned', 'reviewed'], {
      description: 'Of this scope alone; wider scopes have their own.',
    }),
    cause: Nullable(Cause),
    may_decide: Type.Boolean({ description: 'Whether you may decide in this scope.' }),
  },
  { title: 'CreativeStanding' },
);
export type ReviewStanding = Static<typeof ReviewStanding>;

const Report = Type.Object(
  {
    by: Type.String({ description: '`user/<id>` or `api-key/<id>`.' }),
    reason: Type.String(),
    comment: Type.String(),
    at: Timestamp,
  },
  { title: 'CreativeReport' },
);

const partFields = {
  declared: CreativesDeclared,
  markup: Nullable(
    Type.String({
      description:
        'With macros in place of what differs from auction to auction; an example where all of it differs. Null where it is too large to be kept.',
    }),
  ),
  scan: Scan,
  hosting: Hosting,
  review: Type.Array(ReviewStanding, {
    description: 'The standing in each scope that concerns you, the widest first.',
  }),
};

/** The supply sources that one page of a creative names. */
export const MOST_PUBLISHERS_SHOWN = 50;

/** A creative as its account sees it. */
export const Creative = Type.Object(
  {
    ...listedFields,
    ...partFields,
    account_id: Type.String(),
    publishers: Type.Array(Type.Object({ publisher_id: Type.String(), publisher_name: Type.String() }), {
      description: `Those that it was last offered to and that you see, the newest first, at most ${MOST_PUBLISHERS_SHOWN}.`,
    }),
    figures: Nullable(
      Type.Object(
        {
          period: Type.String(),
          bids: Count('Bids with this `crid`.'),
          wins: Count('Wins with this `crid`.'),
          impressions: Count('Billed impressions with this `crid`.'),
          spend_cents: Type.Number({ description: 'What they cost, before the fee.' }),
        },
        {
          description:
            'Of the period, by the books: of all that the demand source sold under this `crid`, whatever its markup was. `versions` names the others. Null for a partner that sees it by its supply sources alone: these books are of another partner.',
        },
      ),
    ),
    versions: Type.Array(
      Type.Object({ id: Type.String(), fingerprint: Nullable(Type.String()), last_seen_at: Timestamp }),
      { description: 'Creatives of the same demand source and `crid` with other markup, at most 50.' },
    ),
    reports: Type.Array(Report, { description: 'What was reported about it, the newest first.' }),
  },
  { title: 'ReviewedCreative' },
);
export type Creative = Static<typeof Creative>;

/** A creative as one side of a trade sees it: the people of a supply source or of a demand source. */
export const SourceCreative = Type.Object({ ...listedFields, ...partFields }, { title: 'SourceCreative' });
export type SourceCreative = Static<typeof SourceCreative>;

export const CreativeParams = Type.Object({
  id: Type.String({ pattern: '^[0-9a-f]{32}$', description: 'A creative: 32 hexadecimal characters.' }),
});

export function showListed(id: string, state: CreativeState, dspName: string): CreativeListed {
  return {
    id,
    dsp_id: state.dspId,
    dsp_name: dspName,
    campaign_id: state.campaignId,
    crid: state.crid,
    fingerprint: state.fingerprint === '' ? null : state.fingerprint,
    stability: state.stability,
    sandbox: state.sandbox,
    formats: state.formats,
    sizes: state.sizes,
    advertiser_domains: state.advertiserDomains,
    categories: state.categories,
    category_taxonomy: state.categoryTaxonomy,
    attributes: state.attributes,
    first_seen_at: state.firstSeenAt,
    last_seen_at: state.lastSeenAt,
    sightings: state.sightings,
    wins: state.wins,
    refusals: state.refusals,
    scan_status: state.scan.status,
    hosting_status: state.hosting.status,
    findings: [...new Set(state.scan.findings.map(({ code }) => code))],
    report_count: state.reports.length,
    decisions: state.decisions.map(({ scope, scopeId, decision, reason, decidedAt }) => ({
      ...{ scope, scope_id: scopeId, decision, reason },
      decided_at: decidedAt,
    })),
    changed_at: state.changedAt,
  };
}

/** What both sides of a trade see beside the entry of the list. `mediaUrl` has no trailing slash. */
export function showParts(
  { declared, markup, scan, hosting, nextScanAt }: CreativeState,
  fileUrl: (hash: string) => string,
): Omit<Pick<SourceCreative, keyof typeof partFields>, 'review'> {
  const { report } = scan;
  return {
    declared,
    markup: markup === '' ? null : markup,
    scan: {
      status: scan.status,
      scanned_at: scan.scannedAt === '' ? null : scan.scannedAt,
      next_scan_at: nextScanAt,
      failure: scan.failure,
      findings: scan.findings.map(({ code, message, url }) => ({ code, severity: FINDINGS[code], message, url })),
      report: report && {
        domains: report.domains,
        redirects: report.redirects,
        wrappers: report.wrappers,
        load_ms: report.loadMs,
        bytes: report.bytes,
        landing_domain: report.landingDomain,
        screenshot_url: report.screenshot === null ? null : fileUrl(report.screenshot),
      },
      media: scan.media.map(({ use, container, bytes, durationMs, bitrateKbps, video, image }) => ({
        ...{ use, container, bytes },
        duration_ms: durationMs ?? null,
        bitrate_kbps: bitrateKbps ?? null,
        width: video?.width ?? image?.width ?? null,
        height: video?.height ?? image?.height ?? null,
      })),
    },
    hosting: { status: hosting.status, reason: hosting.reason, files: hosting.files.map(fileUrl) },
  };
}
