import Type, { type Static } from 'typebox';
import { Nullable, Timestamp, Uuid } from '#actors/api-schemas';
import { Finding } from '#actors/creative/scan';
import { HostingStatus, ScanStatus, ScopeId, ScopeKind, Stability } from '../creatives/creative.ts';
import type { ChangedCreative } from './read-creatives.ts';
import type { PositionedEvent } from './read-feed-pages.ts';

const commonEventFields = {
  id: Type.String({ description: 'Of this event: unlike any other’s.' }),
  at: { ...Timestamp, description: 'When it came to the exchange’s log, by whose clock the feed is in order.' },
  tracking_id: Type.String({ description: 'Of the sold imp: the win and the impression of one have the same.' }),
  auction_id: Type.String({ description: '`id` of the bid request; of a very long one the first 256 characters.' }),
  publisher_id: Type.String(),
  campaign_id: Nullable(Uuid),
  creative_id: Nullable(
    Type.String({ description: '`crid` of the bid; of a very long one the first 256 characters.' }),
  ),
  price_cpm_micros: Type.Integer({
    minimum: 0,
    description: 'The clearing price, micro-dollars CPM: the nano-dollars that the impression costs.',
  }),
  region: Type.String(),
  sandbox: Type.Boolean(),
  sold_at: Nullable(Timestamp),
};

const WinEvent = Type.Object({
  type: Type.Literal('win'),
  ...commonEventFields,
  imp_id: Nullable(Type.String({ description: '`id` of the imp in the bid request.' })),
});

const ImpressionEvent = Type.Object({
  type: Type.Literal('impression'),
  ...commonEventFields,
  cost_micros: Type.Number({
    minimum: 0,
    description: 'Micro-dollars, with up to three decimals: a thousandth of the price.',
  }),
  billed_at: { ...Timestamp, description: 'The same as `at`: names the day and the month that it is billed in.' },
});

const CreativeEvent = Type.Object({
  type: Type.Literal('creative'),
  id: Type.String({ description: 'Of this event: unlike any other’s.' }),
  at: { ...Timestamp, description: 'When the creative last changed, by the log’s clock.' },
  sandbox: Type.Boolean(),
  creative: Type.Object(
    {
      id: Type.String({ description: 'The creative: see `GET /api/creatives/{id}`.' }),
      creative_id: Nullable(Type.String({ description: '`crid` of its bids.' })),
      fingerprint: Nullable(Type.String()),
      stability: Stability,
      scan_status: ScanStatus,
      findings: Type.Array(Finding.properties.code, { description: 'What the last scan found, each once.' }),
      hosting_status: HostingStatus,
      hosting_reason: Nullable(Type.String({ description: 'Why it is not hosted.' })),
      decisions: Type.Array(
        Type.Object({
          scope: ScopeKind,
          scope_id: ScopeId,
          decision: Type.Enum(['block', 'approve']),
          reason: Type.String(),
          decided_at: Timestamp,
        }),
        { description: 'What was decided about this creative itself, the newest first.' },
      ),
    },
    { description: 'The state of the creative from then on, whole.' },
  ),
});

export const ShownEvent = Type.Union([WinEvent, ImpressionEvent, CreativeEvent], { title: 'FeedEvent' });

export function showChangedCreative(
  { position, id, state }: ChangedCreative,
  sandbox: boolean,
): Static<typeof CreativeEvent> {
  const { crid, fingerprint, stability, scan, hosting, decisions } = state;
  return {
    type: 'creative',
    id: `creative_${position.slice(0, 13)}_${id}`,
    at: state.changedAt,
    sandbox,
    creative: {
      id,
      creative_id: crid === '' ? null : crid,
      fingerprint: fingerprint === '' ? null : fingerprint,
      stability,
      scan_status: scan.status,
      findings: [...new Set(scan.findings.map(({ code }) => code))],
      hosting_status: hosting.status,
      hosting_reason: hosting.reason,
      decisions: decisions.map(({ scope, scopeId, decision, reason, decidedAt }) => ({
        ...{ scope, scope_id: scopeId, decision, reason },
        decided_at: decidedAt,
      })),
    },
  };
}

export function showEvent(
  { position, type: holds, read }: PositionedEvent,
  sandbox: boolean,
): Static<typeof ShownEvent> {
  const event = read();
  const shown = {
    id: position.slice(14),
    at: new Date(event.atMs).toISOString(),
    tracking_id: event.trackingId,
    auction_id: event.auctionId,
    publisher_id: event.publisherId,
    campaign_id: event.campaignId,
    creative_id: event.crid,
    price_cpm_micros: event.priceCpmMicros,
    region: event.region,
    sandbox,
    sold_at: event.soldAtMs === null ? null : new Date(event.soldAtMs).toISOString(),
  };
  if (holds === 'win') return { type: 'win', ...shown, imp_id: event.impId };
  return { type: 'impression', ...shown, cost_micros: event.priceCpmMicros / 1000, billed_at: shown.at };
}
