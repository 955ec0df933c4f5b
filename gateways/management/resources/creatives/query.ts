import Type, { type Static } from 'typebox';
import { Domain, Uuid } from '#actors/api-schemas';
import { creative } from '#actors/creative/creative';
import { CreativeFormat } from '#actors/creative/messages';
import type { CreativeState } from '#actors/creative/reduce';
import { dsp } from '#actors/dsp/dsp';
import type { DspState } from '#actors/dsp/reduce';
import { scopeKey } from '#exchange/creative/review-scope';
import type { Condition, FoundDocument } from '#runtime/ports/store';
import type { ManagementDeps } from '../../deps.ts';
import { CreativeListed, HostingStatus, ScanStatus, showListed } from './creative.ts';

const SORTS = { last_seen_at: 'lastSeenAt', first_seen_at: 'firstSeenAt', wins: 'wins' } as const;
type SortField = keyof typeof SORTS;
const ORDERS = (Object.keys(SORTS) as SortField[]).flatMap((field) => [field, `-${field}`] as const);
const DEFAULT_SORT = '-last_seen_at';
const DEFAULT_PER_PAGE = 50;
/** With 100 pages of 100, a call orders at most 10,000 creatives. */
const MOST_PAGES = 100;
const MOST_PER_PAGE = 100;

export const ownFilters = {
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Those alone whose `crid` or an advertiser domain has this part.',
    }),
  ),
  advertiser_domain: Type.Optional(
    Type.String({ ...Domain, description: 'An advertiser domain, such as brand.example.' }),
  ),
  format: Type.Optional(CreativeFormat),
  scan_status: Type.Optional(ScanStatus),
  hosting_status: Type.Optional(HostingStatus),
  decision: Type.Optional(
    Type.Enum(['blocked', 'approved', 'undecided'], {
      description: 'By what was decided about the creative itself, in any scope.',
    }),
  ),
  sort: Type.Optional(
    Type.Enum(ORDERS, {
      default: DEFAULT_SORT,
      description: 'What the list is sorted by, lowest first; with `-` highest first. Ties are sorted by id.',
    }),
  ),
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_PAGES, default: 1, description: 'A page, from 1 on.' })),
  per_page: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MOST_PER_PAGE,
      default: DEFAULT_PER_PAGE,
      description: 'How many a page has at most.',
    }),
  ),
};

const OwnFilters = Type.Object(ownFilters);
export type OwnFilters = Static<typeof OwnFilters>;

export const accountFilters = {
  dsp_id: Type.Optional(Type.String({ ...Uuid, description: 'Of this demand source.' })),
  publisher_id: Type.Optional(
    Type.String({ ...Uuid, description: 'Offered to this supply source, of whichever partner’s demand source.' }),
  ),
  ...ownFilters,
};

export const creativePage = Type.Object({
  creatives: Type.Array(CreativeListed),
  total: Type.Integer({ minimum: 0 }),
  page: Type.Integer(),
  per_page: Type.Integer(),
});

type Where = Record<string, Condition>;

/** The marks of a creative by which each filter is met; `undecided` by those that lack the mark. */
const MARKS = { blocked: 'block', approved: 'approve', undecided: 'decided' } as const;

/** The conditions of the filters. `scope` is the key of the one scope whose decisions count; absent: all do. */
export function filtersWhere(filters: OwnFilters, scope?: string): Where {
  const { q, advertiser_domain: domain, format, scan_status: scan, hosting_status: hosting, decision } = filters;
  const mark = (word: string) => (scope === undefined ? word : `${scope} ${word}`);
  return {
    ...(q !== undefined && { words: { contains: q } }),
    ...(domain !== undefined && { advertiserDomains: { in: [...new Set([domain, domain.toLowerCase()])] } }),
    ...(format !== undefined && { formats: format }),
    ...(scan !== undefined && { 'scan.status': scan }),
    ...(hosting !== undefined && { 'hosting.status': hosting }),
    ...(decision !== undefined && {
      marks: decision === 'undecided' ? { not: mark(MARKS[decision]) } : mark(MARKS[decision]),
    }),
  };
}

export function publisherScopeKey(id: string): string {
  return scopeKey({ kind: 'publisher', id });
}

/** All fields of a state but the large ones, which lists do not show. */
const LISTED_FIELDS: readonly (keyof CreativeState)[] = [
  ...(['accountId', 'partnerId', 'sandbox', 'dspId', 'campaignId', 'crid', 'fingerprint', 'declared'] as const),
  ...(['stability', 'formats', 'sizes', 'advertiserDomains', 'categories', 'categoryTaxonomy'] as const),
  ...(['attributes', 'sightings', 'wins', 'refusals', 'firstSeenAt', 'lastSeenAt', 'scan', 'hosting'] as const),
  ...(['decisions', 'reports', 'changedAt'] as const),
];

/** A creative as it was loaded for a list, with {@link LISTED_FIELDS} or fewer. */
export interface FoundCreative {
  readonly id: string;
  readonly state: CreativeState;
}

/** Takes from creatives what the caller may not see. */
export type Redact = (found: readonly FoundCreative[]) => readonly FoundCreative[] | Promise<readonly FoundCreative[]>;

type Page = Static<typeof creativePage>;
type Store = Pick<ManagementDeps, 'store'>;

/** Lists one page of the creatives that `where` finds, each as `redact` leaves it. */
export async function listCreatives(
  { store }: Store,
  where: Where,
  filters: OwnFilters,
  redact: Redact = (found) => found,
): Promise<Page> {
  const { start, end } = spanOf(filters);
  const [{ total }, found] = await Promise.all([
    store.query(creative.kind, { where, limit: 1 }),
    store.find(creative.kind, { where, ...orderOf(filters), limit: end }),
  ]);
  return showPage({ store }, found.slice(start), total, filters, redact);
}

/** The fields by which it is told who sees which decisions. */
const DECISION_FIELDS: readonly (keyof CreativeState)[] = ['accountId', 'partnerId', 'sandbox', 'decisions'];

/**
 * Lists as `listCreatives` does, by a decision that holds among those that `redact` leaves: `where`, which has none of
 * it, cannot tell them from others. Pages have at most 10,000 creatives, and `total` counts no more.
 */
export async function listByDecisionsSeen(
  { store }: Store,
  where: Where,
  filters: OwnFilters,
  decision: NonNullable<OwnFilters['decision']>,
  redact: Redact,
): Promise<Page> {
  const { start, end } = spanOf(filters);
  const mark = MARKS[decision];
  const ordered = { ...orderOf(filters), limit: MOST_PAGES * MOST_PER_PAGE };
  const decided = await store.find(creative.kind, { where: { ...where, marks: mark }, ...ordered });
  const redacted = await redact(await loadCreatives({ store }, decided, DECISION_FIELDS));
  const holding = redacted.filter(({ state }) =>
    state.decisions.some((one) => mark === 'decided' || one.decision === mark),
  );
  const seen = new Set(holding.map(({ id }) => id));
  const found =
    decision === 'undecided'
      ? (await store.find(creative.kind, { where, ...ordered })).filter(({ id }) => !seen.has(id))
      : decided.filter(({ id }) => seen.has(id));
  return showPage({ store }, found.slice(start, end), found.length, filters, redact);
}

function spanOf({ page = 1, per_page: perPage = DEFAULT_PER_PAGE }: OwnFilters) {
  return { start: (page - 1) * perPage, end: page * perPage };
}

function orderOf({ sort = DEFAULT_SORT }: OwnFilters) {
  const descending = sort.startsWith('-');
  return { orderBy: SORTS[(descending ? sort.slice(1) : sort) as SortField], descending };
}

async function showPage(
  { store }: Store,
  found: readonly FoundDocument[],
  total: number,
  { page = 1, per_page: perPage = DEFAULT_PER_PAGE }: OwnFilters,
  redact: Redact,
): Promise<Page> {
  const states = await redact(await loadCreatives({ store }, found, LISTED_FIELDS));
  const names = await dspNames(
    { store },
    states.map(({ state }) => state.dspId),
  );
  const creatives = states.map(({ id, state }) => showListed(id, state, names(state.dspId)));
  return { creatives, total, page, per_page: perPage };
}

async function loadCreatives(
  { store }: Store,
  found: readonly FoundDocument[],
  fields: readonly (keyof CreativeState)[],
): Promise<FoundCreative[]> {
  const documents = await store.load(
    found.map(({ id }) => ({ kind: creative.kind, id })),
    fields,
  );
  return documents.flatMap((document) =>
    document && !document.deleted ? [{ id: document.id, state: document.state as CreativeState }] : [],
  );
}

/** Names of demand sources; one that is no longer known is named by its id. */
export async function dspNames(
  { store }: Pick<ManagementDeps, 'store'>,
  ids: readonly string[],
): Promise<(id: string) => string> {
  const documents = await store.load(
    [...new Set(ids)].map((id) => ({ kind: dsp.kind, id })),
    ['name'],
  );
  const names = new Map<string, string>();
  for (const document of documents) {
    if (document && !document.deleted) names.set(document.id, (document.state as Pick<DspState, 'name'>).name);
  }
  return (id) => names.get(id) ?? id;
}
