import Type, { type Static } from 'typebox';
import { MediaFacts } from '../../exchange/creative/media-facts.ts';
import { scopeKey } from '../../exchange/creative/review-scope.ts';
import { type Effects, handlersOf } from '../../runtime/actor/define-actor.ts';
import { reject } from '../../runtime/actor/rejection.ts';
import { notFound } from '../account/scope.ts';
import { ReviewScopeKind } from '../creative-policy/messages.ts';
import { DYNAMIC_FINGERPRINT } from './dynamic-fingerprint.ts';
import { CreativeFormat, CreativesDeclared, creativeMessages } from './messages.ts';
import { Finding, hasViolation, ScanReport } from './scan.ts';

const Texts = Type.Array(Type.String());
const Count = Type.Integer({ minimum: 0 });

export const CreativeState = Type.Object({
  /** The account of the demand source; '' while the creative was never seen. */
  accountId: Type.String(),
  partnerId: Type.Union([Type.String(), Type.Null()]),
  /** Whether it was seen in the sandbox alone. */
  sandbox: Type.Boolean(),
  dspId: Type.String(),
  campaignId: Type.Union([Type.String(), Type.Null()]),
  crid: Type.String(),
  /** '' where the markup differs from auction to auction. */
  fingerprint: Type.String(),
  declared: CreativesDeclared,
  /** Whether it is the same in every auction; `unknown` until it was seen often enough. */
  stability: Type.Enum(['unknown', 'stable', 'dynamic']),
  /** The template of its markup, or an example where the markup differs; '' where it is too large to be kept. */
  markup: Type.String(),
  formats: Type.Array(CreativeFormat),
  sizes: Texts,
  advertiserDomains: Texts,
  categories: Texts,
  categoryTaxonomy: Type.Integer(),
  attributes: Type.Array(Type.Integer()),
  /** The publishers that it was last offered to, the newest first, at most {@link MOST_PUBLISHERS}. */
  publisherIds: Texts,
  sightings: Count,
  wins: Count,
  refusals: Count,
  /** ISO 8601, UTC, as all times here. */
  firstSeenAt: Type.String(),
  lastSeenAt: Type.String(),
  /** When an edge last told of a win; '' before the first. */
  lastWonAt: Type.String(),
  scan: Type.Object({
    status: Type.Enum(['pending', 'clean', 'flagged', 'failed']),
    /** '' before the first scan. */
    scannedAt: Type.String(),
    /** Why the last scan could not be finished. */
    failure: Type.Union([Type.String(), Type.Null()]),
    findings: Type.Array(Finding),
    report: Type.Union([ScanReport, Type.Null()]),
    media: Type.Array(MediaFacts),
  }),
  /** When the next scan or hosting is due. */
  nextScanAt: Type.String(),
  hosting: Type.Object({
    status: Type.Enum(['waiting', 'hosted', 'not-hosted']),
    file: Type.Union([Type.String(), Type.Null()]),
    files: Texts,
    reason: Type.Union([Type.String(), Type.Null()]),
  }),
  /** What was decided about it by its id, the newest first. */
  decisions: Type.Array(
    Type.Object({
      scope: ReviewScopeKind,
      scopeId: Type.String(),
      decision: Type.Enum(['block', 'approve']),
      reason: Type.String(),
      decidedAt: Type.String(),
    }),
  ),
  reports: Type.Array(
    Type.Object({ by: Type.String(), reason: Type.String(), comment: Type.String(), at: Type.String() }),
  ),
  /** What a search finds it by: its `crid` and its advertiser domains. */
  words: Texts,
  /**
   * What was decided about it by its id, for queries: `block`, `approve`, `decided`, and each of these again behind the
   * scope's key and a space (`publisher:<id> block`); `reported` when it was reported and nothing was decided since.
   */
  marks: Texts,
  /** When what its demand source is told of it last changed. */
  changedAt: Type.String(),
  /** The end of one process's claim: ms since the Unix epoch, by the log's clock. */
  claimedUntilMs: Count,
});
export type CreativeState = Static<typeof CreativeState>;

export const noCreative: CreativeState = {
  accountId: '',
  partnerId: null,
  sandbox: false,
  dspId: '',
  campaignId: null,
  crid: '',
  fingerprint: '',
  declared: 'auto',
  stability: 'unknown',
  markup: '',
  formats: [],
  sizes: [],
  advertiserDomains: [],
  categories: [],
  categoryTaxonomy: 1,
  attributes: [],
  publisherIds: [],
  sightings: 0,
  wins: 0,
  refusals: 0,
  firstSeenAt: '',
  lastSeenAt: '',
  lastWonAt: '',
  scan: { status: 'pending', scannedAt: '', failure: null, findings: [], report: null, media: [] },
  nextScanAt: '',
  hosting: { status: 'waiting', file: null, files: [], reason: null },
  decisions: [],
  reports: [],
  words: [],
  marks: [],
  changedAt: '',
  claimedUntilMs: 0,
};

/** What counts from anew when a creative of the sandbox is sold live. */
const UNCOUNTED: Pick<CreativeState, 'publisherIds' | 'sightings' | 'wins' | 'refusals' | 'lastWonAt'> = {
  publisherIds: [],
  sightings: 0,
  wins: 0,
  refusals: 0,
  lastWonAt: '',
};

/** Auctions in which a bidder's markup must have been the same before it counts as stable. */
export const STABLE_AFTER_SIGHTINGS = 3;
/** The most values that a creative keeps of each kind; further ones are not told apart by its page. */
const MOST_VALUES = 50;
/**
 * The most publishers that a creative keeps: as many as an account of the standard tier has. 50 KB of its document and
 * its index.
 */
export const MOST_PUBLISHERS = 1_000;
/**
 * The most decisions that a creative keeps: of the exchange, its account, and as many pools and publishers as it has.
 */
export const MOST_DECISIONS = 1_000;
const MOST_REPORTS = 20;

export const DYNAMIC_REASON = 'Its markup differs from auction to auction, so it passes as it comes.';

export const creativeHandlers = handlersOf(CreativeState, creativeMessages, {
  seen(known, told, { nowMs }) {
    const at = isoOf(nowMs);
    // Live and sandbox do not mix: what was sold live is a live creative, which begins anew where it was the sandbox's.
    if (known.accountId !== '' && !known.sandbox && told.sandbox) return {};
    const becomesLive = known.accountId !== '' && known.sandbox && !told.sandbox;
    const before = becomesLive ? { ...known, ...UNCOUNTED, firstSeenAt: '' } : known;
    const isNew = known.accountId === '';
    const { dspId, accountId, partnerId, sandbox, campaignId, crid, fingerprint, declared, categoryTaxonomy } = told;
    const sightings = before.sightings + told.sightings;
    const stability = stabilityOf(fingerprint, declared, sightings);
    const advertiserDomains = union(before.advertiserDomains, told.advertiserDomains);
    const state: CreativeState = {
      ...before,
      ...{ dspId, accountId, partnerId, sandbox, campaignId, crid, fingerprint, declared, categoryTaxonomy },
      stability,
      markup: before.markup === '' ? (told.markup ?? '') : before.markup,
      formats: union(before.formats, told.formats),
      sizes: union(before.sizes, told.sizes),
      advertiserDomains,
      words: [crid, ...advertiserDomains],
      categories: union(before.categories, told.categories),
      attributes: union(before.attributes, told.attributes),
      publisherIds: union(told.publisherIds, before.publisherIds, MOST_PUBLISHERS),
      sightings,
      wins: before.wins + told.wins,
      refusals: before.refusals + told.refusals,
      firstSeenAt: before.firstSeenAt || at,
      lastSeenAt: at,
      lastWonAt: told.wins > 0 ? at : before.lastWonAt,
    };
    if (isNew) return { state: { ...state, nextScanAt: at, changedAt: at, hosting: firstHosting(stability) } };
    // Its demand source reads it in the other environment from here on.
    if (stability === known.stability) return { state: becomesLive ? { ...state, changedAt: at } : state };
    // What has turned out to be stable is hosted without waiting for the next scan.
    return { state: { ...state, hosting: firstHosting(stability), nextScanAt: at, changedAt: at } };
  },
  decided(state, { scope, scopeId, decision, reason }, { nowMs }) {
    if (state.accountId === '') return {};
    const others = state.decisions.filter((one) => one.scope !== scope || one.scopeId !== scopeId);
    const decidedAt = isoOf(nowMs);
    const decisions =
      decision === 'none'
        ? others
        : [{ scope, scopeId, decision, reason, decidedAt }, ...others].slice(0, MOST_DECISIONS);
    return { state: { ...state, decisions, marks: marksOf(decisions, state.reports), changedAt: decidedAt } };
  },
  claim(state, { forMs }, { nowMs }) {
    if (state.accountId === '' || state.nextScanAt > isoOf(nowMs)) return reject('CONFLICT', 'No scan is due.');
    if (state.claimedUntilMs > nowMs) return reject('CONFLICT', 'Another process scans the creative.');
    return answer({ ...state, claimedUntilMs: nowMs + forMs });
  },
  scanned(state, { report, findings, media, againInMs }, { nowMs }) {
    if (state.accountId === '') return notFound('The creative');
    const at = isoOf(nowMs);
    const status = hasViolation(findings) ? 'flagged' : 'clean';
    const isSame = status === state.scan.status && codesOf(findings) === codesOf(state.scan.findings);
    const changedAt = isSame ? state.changedAt : at;
    const scan = { status, scannedAt: at, failure: null, findings, report, media } as const;
    return answer({ ...state, scan, changedAt, nextScanAt: isoOf(nowMs + againInMs), claimedUntilMs: 0 });
  },
  'scan-failed'(state, { reason, againInMs }, { nowMs }) {
    if (state.accountId === '') return notFound('The creative');
    // What an earlier scan has found stands.
    const status = state.scan.status === 'pending' ? 'failed' : state.scan.status;
    const scan = { ...state.scan, status, failure: reason };
    const changedAt = status === state.scan.status ? state.changedAt : isoOf(nowMs);
    return answer({ ...state, scan, changedAt, nextScanAt: isoOf(nowMs + againInMs), claimedUntilMs: 0 });
  },
  hosted(state, { file, files }, { nowMs }) {
    if (state.accountId === '') return notFound('The creative');
    const hosting = { status: 'hosted', file, files, reason: null } as const;
    return answer({ ...state, hosting, changedAt: file === state.hosting.file ? state.changedAt : isoOf(nowMs) });
  },
  'not-hosted'(state, { reason }, { nowMs }) {
    if (state.accountId === '') return notFound('The creative');
    const hosting: CreativeState['hosting'] = { status: 'not-hosted', file: null, files: [], reason };
    return answer({ ...state, hosting, changedAt: reason === state.hosting.reason ? state.changedAt : isoOf(nowMs) });
  },
  report(state, { by, reason, comment }, { nowMs }) {
    if (state.accountId === '') return notFound('The creative');
    const reports = [{ by, reason, comment, at: isoOf(nowMs) }, ...state.reports].slice(0, MOST_REPORTS);
    return answer({ ...state, reports, marks: marksOf(state.decisions, reports) });
  },
  forget(state, { unseenSince }) {
    if (state.lastSeenAt > unseenSince) return reject('CONFLICT', 'The creative was seen again.');
    if (state.decisions.length > 0) return reject('CONFLICT', 'A decision names the creative.');
    return { state: null, reply: null };
  },
});

function stabilityOf(
  fingerprint: string,
  declared: CreativeState['declared'],
  sightings: number,
): CreativeState['stability'] {
  if (fingerprint === DYNAMIC_FINGERPRINT || declared === 'dynamic') return 'dynamic';
  return declared === 'stable' || sightings >= STABLE_AFTER_SIGHTINGS ? 'stable' : 'unknown';
}

function firstHosting(stability: CreativeState['stability']): CreativeState['hosting'] {
  if (stability === 'dynamic') return { status: 'not-hosted', file: null, files: [], reason: DYNAMIC_REASON };
  return { status: 'waiting', file: null, files: [], reason: null };
}

function marksOf(decisions: CreativeState['decisions'], [report]: CreativeState['reports']): string[] {
  const marks = decisions.flatMap(({ scope, scopeId, decision }) => {
    const key = scopeKey({ kind: scope, id: scopeId });
    return [decision, 'decided', `${key} ${decision}`, `${key} decided`];
  });
  const [newest] = decisions;
  if (report !== undefined && (newest === undefined || report.at > newest.decidedAt)) marks.push('reported');
  return [...new Set(marks)];
}

/** The findings that its demand source is told of, as one text. */
function codesOf(findings: readonly Finding[]): string {
  return [...new Set(findings.map(({ code }) => code))].sort().join();
}

function union<T>(first: readonly T[], others: readonly T[], most = MOST_VALUES): T[] {
  return [...new Set([...first, ...others])].slice(0, most);
}

function answer(state: CreativeState): Effects<CreativeState, CreativeState> {
  return { state, reply: state };
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}
