import Type from 'typebox';
import { Nullable, Status, Timestamp, Uuid } from '#actors/api-schemas';
import { DspMode, LossNoticeMethod, OpenrtbVersion, UserSyncType } from '#actors/dsp/fields';
import type { DspState } from '#actors/dsp/reduce';
import { defineRoute } from '../../routing/route.ts';
import { Budget, loadBudget } from '../budget/budget.ts';
import { type DemandSource, showDemandSource } from '../demand-sources/demand-source.ts';
import { DemandSourceHealth, readHealth } from '../demand-sources/health.ts';
import { loadOwnSource } from './own-source.ts';

/** A demand source as its own people see it. */
const DemandProfile = Type.Object(
  {
    id: Uuid,
    name: Type.String(),
    mode: DspMode,
    status: Status,
    sandbox: Type.Boolean(),
    endpoint_url: Nullable(Type.String({ description: 'Where it is asked; null for delegates.' })),
    openrtb_version: OpenrtbVersion,
    timeout_ms: Type.Integer(),
    qps_limit: Type.Integer({ description: 'Calls a second that the exchange makes at most.' }),
    user_sync_url: Nullable(Type.String({ description: 'What cookie sync calls; null: it is not called.' })),
    user_sync_type: UserSyncType,
    tcf_vendor_id: Nullable(Type.Integer({ description: "In the IAB's Global Vendor List." })),
    event_feed: Type.Boolean({
      description:
        'Whether its wins and impressions are kept for its feed. Where the exchange writes log-level data they are, whatever this says.',
    }),
    loss_notice_method: Type.Enum(LossNoticeMethod.enum, { description: 'How its loss notices are called.' }),
    key_created_at: Nullable(
      Type.String({ ...Timestamp, description: 'When its source key was made; null while it has none.' }),
    ),
    budget: Type.Object(Budget.properties, { description: 'Of today, UTC.' }),
    health: Type.Object(DemandSourceHealth.properties, { description: 'What the edges see of it.' }),
    created_at: Timestamp,
  },
  { title: 'DemandProfile' },
);

export const dspProfile = defineRoute({
  method: 'GET',
  path: '/api/demand/profile',
  tag: 'Source reports',
  operationId: 'getDemandProfile',
  summary: "Read what the key's demand source is: its status and limits, today's budget and its health",
  description: 'Budget and health are those that its account reads. Its account changes it.',
  access: 'dsp-key',
  answer: { status: 200, schema: DemandProfile },
  async handle({ source: { id }, source, parts }) {
    const own = (await loadOwnSource(parts, source)) as DspState;
    const [budget, health] = await Promise.all([loadBudget(parts, id, own), readHealth(parts, id, own)]);
    const key_created_at = own.sourceKey?.createdAt ?? null;
    return { ...profileForSourceUsers(showDemandSource(id, own)), key_created_at, budget, health };
  },
});

/** Removes the fields of the account: partners and revisions; the daily budget is shown with what is left of it. */
function profileForSourceUsers(shown: DemandSource) {
  const { partner_id: _, updated_at: __, daily_budget_cents: ___, ...own } = shown;
  return own;
}
