import Type, { type Static } from 'typebox';
import { dsp } from '../../../../actors/dsp/dsp.ts';
import { DspMode, maxQpsLimit, maxTimeoutMs, OpenrtbVersion } from '../../../../actors/dsp/messages.ts';
import type { DspState } from '../../../../actors/dsp/reduce.ts';
import { ApiError } from '../../../errors.ts';
import { loadVisible } from '../../changes/load-visible.ts';
import type { Caller } from '../../identity/caller.ts';
import type { ManagementParts } from '../../parts.ts';
import { Name, Nullable, Status, Timestamp, Uuid } from '../fields.ts';

/** A demand source as the API shows it (specification, "Demand source (DSP)"). */
export const DemandSource = Type.Object(
  {
    id: Uuid,
    name: Type.String(),
    mode: DspMode,
    status: Status,
    endpoint_url: Nullable(Type.String({ description: 'Null for delegates.' })),
    sandbox: Type.Boolean(),
    daily_budget_cents: Type.Integer({ description: '0 = unlimited.' }),
    timeout_ms: Type.Integer(),
    openrtb_version: OpenrtbVersion,
    qps_limit: Type.Integer({ description: 'Calls a second that each edge makes at most.' }),
    partner_id: Nullable(Uuid),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  {
    title: 'DemandSource',
    examples: [
      {
        id: '3b0c2f0a-8d1e-4c55-9c2d-5f0a4a1f6a11',
        name: 'North DSP',
        mode: 'rtb',
        status: 'active',
        endpoint_url: 'https://bid.north.example/openrtb',
        sandbox: false,
        daily_budget_cents: 500000,
        timeout_ms: 120,
        openrtb_version: '2.6',
        qps_limit: 10000,
        partner_id: null,
        created_at: '2026-03-14T09:26:53.589Z',
        updated_at: '2026-03-15T08:00:00.000Z',
      },
    ],
  },
);
export type DemandSource = Static<typeof DemandSource>;

export const DailyBudgetCents = Type.Integer({ minimum: 0, maximum: 100_000_000_000, description: '0 = unlimited.' });

/** What a caller may write. */
export const demandSourceFields = {
  name: Name,
  mode: DspMode,
  endpoint_url: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 2048 }))),
  sandbox: Type.Optional(Type.Boolean()),
  daily_budget_cents: Type.Optional(DailyBudgetCents),
  timeout_ms: Type.Optional(Type.Integer({ minimum: 1, maximum: maxTimeoutMs })),
  openrtb_version: Type.Optional(OpenrtbVersion),
  qps_limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: maxQpsLimit,
      description: `Calls a second that each edge makes at most; by default ${maxQpsLimit}.`,
    }),
  ),
  partner_id: Type.Optional(Nullable(Uuid)),
};

export const DemandSourceParams = Type.Object({ id: Uuid });

export function showDemandSource(id: string, state: DspState): DemandSource {
  return {
    id,
    name: state.name,
    mode: state.mode,
    status: state.status as DemandSource['status'],
    endpoint_url: state.endpointUrl,
    sandbox: state.sandbox,
    daily_budget_cents: state.dailyBudgetCents,
    timeout_ms: state.timeoutMs,
    openrtb_version: state.openrtbVersion,
    qps_limit: state.qpsLimit,
    partner_id: state.partnerId,
    created_at: state.createdAt,
    updated_at: state.updatedAt,
  };
}

export function loadDemandSource(parts: ManagementParts, id: string, caller: Caller): Promise<DspState> {
  return loadVisible<DspState>(parts, dsp.kind, id, caller.scope, 'The demand source');
}

/** A bidder is reached over HTTP or HTTPS, and its URL holds no password. */
export function assertBidderUrl(url: string | null | undefined): void {
  if (url === null || url === undefined) return;
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || !/^https?:$/.test(parsed.protocol) || parsed.username !== '' || parsed.password !== '') {
    throw new ApiError('VALIDATION_ERROR', 'endpoint_url must be an http or https URL.', 'endpoint_url');
  }
}
