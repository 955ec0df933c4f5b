// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are macros of sync URLs
import Type, { type Static } from 'typebox';
import { Name, Nullable, Status, Timestamp, Uuid } from '../../../../actors/api-schemas.ts';
import { dsp } from '../../../../actors/dsp/dsp.ts';
import {
  DspMode,
  defaultQpsLimit,
  LossNoticeMethod,
  maxQpsLimit,
  maxTcfVendorId,
  maxTimeoutMs,
  OpenrtbVersion,
  UserSyncType,
} from '../../../../actors/dsp/messages.ts';
import type { DspState } from '../../../../actors/dsp/reduce.ts';
import { unknownSyncMacros } from '../../../edge/sync/sync-macros.ts';
import { ApiError } from '../../../errors.ts';
import { loadVisible } from '../../changes/load-visible.ts';
import type { Caller } from '../../identity/caller.ts';
import type { ManagementParts } from '../../parts.ts';

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
    qps_limit: Type.Integer({ description: 'Calls a second that the exchange makes at most.' }),
    user_sync_url: Nullable(Type.String({ description: 'What cookie sync calls; null: it is not called.' })),
    user_sync_type: UserSyncType,
    tcf_vendor_id: Nullable(Type.Integer({ description: "In the IAB's Global Vendor List." })),
    event_feed: Type.Boolean({ description: 'Whether its wins and impressions are kept for its feed.' }),
    loss_notice_method: Type.Enum(LossNoticeMethod.enum, { description: 'How its loss notices are called.' }),
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
        user_sync_url: 'https://sync.north.example/match?gdpr=${GDPR}&consent=${GDPR_CONSENT}&back=${REDIRECT_URL}',
        user_sync_type: 'redirect',
        tcf_vendor_id: 1234,
        event_feed: true,
        loss_notice_method: 'POST',
        partner_id: null,
        created_at: '2026-03-14T09:26:53.589Z',
        updated_at: '2026-03-15T08:00:00.000Z',
      },
    ],
  },
);
export type DemandSource = Static<typeof DemandSource>;

export const DailyBudgetCents = Type.Integer({ minimum: 0, maximum: 100_000_000_000, description: '0 = unlimited.' });

const userSyncDescription = `What \`/sync\` has a browser call, so that the demand source learns whose ids are the same. Macros: \`\${USER_ID}\`, \`\${GDPR}\`, \`\${GDPR_CONSENT}\`, \`\${US_PRIVACY}\`, \`\${GPP}\`, \`\${GPP_SID}\`, and \`\${REDIRECT_URL}\`, where the browser is to be sent next, with \`\${UID}\` in it replaced by the demand source's id of the user. The match is \`user.buyeruid\` in its bid requests from then on.`;

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
      description: `Calls a second that the exchange makes at most, all edges together; by default ${defaultQpsLimit}. As the limit nears, calls are kept back at random. The edges share it by the traffic that each has; where an edge begins to call, or traffic moves, it may be exceeded for some seconds.`,
    }),
  ),
  user_sync_url: Type.Optional(
    Nullable(Type.String({ minLength: 1, maxLength: 2048, description: userSyncDescription })),
  ),
  user_sync_type: Type.Optional(
    Type.Enum(UserSyncType.enum, {
      description: 'How a browser calls it: as an image that may redirect (the default), or in a frame.',
    }),
  ),
  tcf_vendor_id: Type.Optional(
    Nullable(
      Type.Integer({
        minimum: 1,
        maximum: maxTcfVendorId,
        description:
          "In the IAB's Global Vendor List. Where it is given, users are matched under GDPR only with consent for it.",
      }),
    ),
  ),
  event_feed: Type.Optional(
    Type.Boolean({
      description:
        'Whether its wins and impressions are kept one by one for `/api/dsp/{id}/feed`, by default they are. What happens while they are not is in no feed.',
    }),
  ),
  loss_notice_method: Type.Optional(
    Type.Enum(LossNoticeMethod.enum, {
      description: 'How its loss notices (`lurl`) are called, always without a body: POST (the default), or GET.',
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
    user_sync_url: state.userSyncUrl,
    user_sync_type: state.userSyncType,
    tcf_vendor_id: state.tcfVendorId,
    event_feed: state.eventFeed,
    loss_notice_method: state.lossNoticeMethod ?? 'POST',
    partner_id: state.partnerId,
    created_at: state.createdAt,
    updated_at: state.updatedAt,
  };
}

export function loadDemandSource(parts: ManagementParts, id: string, caller: Caller): Promise<DspState> {
  return loadVisible<DspState>(parts, dsp.kind, id, caller.scope, 'The demand source');
}

/** A bidder is reached over HTTP or HTTPS, and its URLs hold no password. */
export function assertBidderUrls({
  endpoint_url: endpointUrl,
  user_sync_url: userSyncUrl,
}: {
  readonly endpoint_url?: string | null;
  readonly user_sync_url?: string | null;
}): void {
  if (endpointUrl && !isHttpUrl(endpointUrl)) {
    throw new ApiError('VALIDATION_ERROR', 'endpoint_url must be an http or https URL.', 'endpoint_url');
  }
  // A macro in the host would let whoever fills it choose where browsers go.
  if (userSyncUrl && !(isHttpUrl(userSyncUrl) && /^[^${}]+$/.test(new URL(userSyncUrl).host))) {
    const message = 'user_sync_url must be an http or https URL, with macros in its path and query alone.';
    throw new ApiError('VALIDATION_ERROR', message, 'user_sync_url');
  }
  const [unknown] = unknownSyncMacros(userSyncUrl ?? '');
  if (unknown !== undefined) {
    throw new ApiError('VALIDATION_ERROR', `user_sync_url has ${unknown}, which is no macro.`, 'user_sync_url');
  }
}

function isHttpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}
