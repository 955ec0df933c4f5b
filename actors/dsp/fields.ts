// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are macros of sync URLs
import Type from 'typebox';
import { Nullable, Status, Uuid } from '../api-schemas.ts';
import { CreativesDeclared } from '../creative/messages.ts';
import { defineFields, type Projection } from '../field-table.ts';
import { namedResource, resourceTimes, revision } from '../resource-fields.ts';
import { SandboxGeneration } from '../sandbox-generation.ts';
import { SourceKey } from '../source-key.ts';

export const DspMode = Type.Enum(['rtb', 'delegate']);
export const OpenrtbVersion = Type.Enum(['2.5', '2.6']);
/** The way in which a browser calls a sync URL: as an image that may redirect, or in a frame. */
export const UserSyncType = Type.Enum(['redirect', 'iframe']);
/** The way in which a loss notice (`lurl`) is called (specification, Loss notification: POST). */
export const LossNoticeMethod = Type.Enum(['POST', 'GET']);
/** The largest id of the IAB's Global Vendor List, 16 bits. */
const maxTcfVendorId = 65_535;
/** The longest timeout of a bidder (specification, "Limits"). */
const maxTimeoutMs = 150;
/** The default limit of calls per second from the whole exchange. */
const defaultQpsLimit = 10_000;
const maxQpsLimit = 1_000_000;

export const DailyBudgetCents = Type.Integer({ minimum: 0, maximum: 100_000_000_000, description: '0 = unlimited.' });

const userSyncDescription = `What \`/sync\` has a browser call, so that the demand source learns whose ids are the same. Macros: \`\${USER_ID}\`, \`\${GDPR}\`, \`\${GDPR_CONSENT}\`, \`\${US_PRIVACY}\`, \`\${GPP}\`, \`\${GPP_SID}\`, and \`\${REDIRECT_URL}\`, where the browser is to be sent next, with \`\${UID}\` in it replaced by the demand source's id of the user. The match is \`user.buyeruid\` in its bid requests from then on.`;

/** A demand source, field by field (specification, "Demand source (DSP)"). */
export const dspFields = defineFields({
  ...namedResource({ id: '3b0c2f0a-8d1e-4c55-9c2d-5f0a4a1f6a11', name: 'North DSP' }),
  mode: {
    state: DspMode,
    initial: 'rtb',
    projected: true,
    api: { name: 'mode', shown: DspMode, written: DspMode, required: true, example: 'rtb' },
  },
  /** The status follows from `sandbox` until the source is archived. */
  status: {
    state: Type.Enum(['absent', 'active', 'sandbox', 'archived']),
    initial: 'absent',
    projected: true,
    api: { name: 'status', shown: Status, example: 'active' },
  },
  /** The URL for bid requests: `rtb` must have one, `delegate` has none. */
  endpointUrl: {
    state: Nullable(Type.String()),
    initial: null,
    projected: true,
    api: {
      name: 'endpoint_url',
      shown: Nullable(Type.String({ description: 'Null for delegates.' })),
      written: Nullable(Type.String({ minLength: 1, maxLength: 2048 })),
      example: 'https://bid.north.example/openrtb',
    },
  },
  /** The environment of the source, also once it is archived. */
  sandbox: {
    state: Type.Boolean(),
    initial: false,
    api: { name: 'sandbox', shown: Type.Boolean(), written: Type.Boolean(), example: false },
  },
  /** 0 = unlimited. */
  dailyBudgetCents: {
    state: Type.Integer({ minimum: 0 }),
    initial: 0,
    projected: true,
    api: {
      name: 'daily_budget_cents',
      shown: Type.Integer({ description: '0 = unlimited.' }),
      written: DailyBudgetCents,
      example: 500000,
    },
  },
  /** Since when it has had a daily budget without a break, ms since the epoch; 0 without one. */
  limitedSinceMs: { state: Type.Integer({ minimum: 0 }), initial: 0, projected: true },
  timeoutMs: {
    state: Type.Integer({ minimum: 1, maximum: maxTimeoutMs }),
    initial: maxTimeoutMs,
    projected: true,
    api: {
      name: 'timeout_ms',
      shown: Type.Integer(),
      written: Type.Integer({ minimum: 1, maximum: maxTimeoutMs }),
      example: 120,
    },
  },
  /** The OpenRTB version of its bid requests. */
  openrtbVersion: {
    state: OpenrtbVersion,
    initial: '2.6',
    projected: true,
    api: { name: 'openrtb_version', shown: OpenrtbVersion, written: OpenrtbVersion, example: '2.6' },
  },
  /** The limit of calls per second from all edges together. */
  qpsLimit: {
    state: Type.Integer({ minimum: 1, maximum: maxQpsLimit }),
    newInMessages: true,
    initial: defaultQpsLimit,
    projected: true,
    api: {
      name: 'qps_limit',
      shown: Type.Integer({ description: 'Calls a second that the exchange makes at most.' }),
      written: Type.Integer({
        minimum: 1,
        maximum: maxQpsLimit,
        description: `Calls a second that the exchange makes at most, all edges together; by default ${defaultQpsLimit}. As the limit nears, calls are kept back at random. The edges share it by the traffic that each has; where an edge begins to call, or traffic moves, it may be exceeded for some seconds.`,
      }),
      example: 10000,
    },
  },
  /** The URL that cookie sync calls, with its macros; null: none. */
  userSyncUrl: {
    state: Nullable(Type.String()),
    newInMessages: true,
    initial: null,
    projected: 'newer',
    api: {
      name: 'user_sync_url',
      shown: Nullable(Type.String({ description: 'What cookie sync calls; null: it is not called.' })),
      written: Nullable(Type.String({ minLength: 1, maxLength: 2048, description: userSyncDescription })),
      example: 'https://sync.north.example/match?gdpr=${GDPR}&consent=${GDPR_CONSENT}&back=${REDIRECT_URL}',
    },
  },
  userSyncType: {
    state: UserSyncType,
    newInMessages: true,
    initial: 'redirect',
    projected: 'newer',
    api: {
      name: 'user_sync_type',
      shown: UserSyncType,
      written: Type.Enum(UserSyncType.enum, {
        description: 'How a browser calls it: as an image that may redirect (the default), or in a frame.',
      }),
      example: 'redirect',
    },
  },
  /** Its id in the IAB's Global Vendor List; null: unknown. */
  tcfVendorId: {
    state: Nullable(Type.Integer({ minimum: 1, maximum: maxTcfVendorId })),
    newInMessages: true,
    initial: null,
    projected: 'newer',
    api: {
      name: 'tcf_vendor_id',
      shown: Nullable(Type.Integer({ description: "In the IAB's Global Vendor List." })),
      written: Nullable(
        Type.Integer({
          minimum: 1,
          maximum: maxTcfVendorId,
          description:
            "In the IAB's Global Vendor List. Where it is given, users are matched under GDPR only with consent for it.",
        }),
      ),
      example: 1234,
    },
  },
  /**
   * Whether its wins and impressions are stored one by one, for its feed. While log-level data are written
   * (`LOG_LEVEL_DATA_URL`), those of every demand source are.
   */
  eventFeed: {
    state: Type.Boolean(),
    newInMessages: true,
    initial: true,
    projected: 'newer',
    api: {
      name: 'event_feed',
      shown: Type.Boolean({
        description:
          'Whether its wins and impressions are kept for its feed. Where the exchange writes log-level data they are kept of every demand source, and are in its feed even while this is false.',
      }),
      written: Type.Boolean({
        description:
          'Whether its wins and impressions are kept one by one for `/api/dsp/{id}/feed`, by default they are. What happens while they are not is in no feed. Where the exchange writes log-level data (`enabled` of `/api/demand/sources/{id}/log-level-data`), they are kept whatever this says.',
      }),
      example: true,
    },
  },
  /**
   * The way in which its loss notices are called. `DspProjection` declares it by hand, because it contains only GET.
   */
  lossNoticeMethod: {
    state: Type.Optional(LossNoticeMethod),
    absent: 'POST',
    api: {
      name: 'loss_notice_method',
      shown: Type.Enum(LossNoticeMethod.enum, { description: 'How its loss notices are called.' }),
      written: Type.Enum(LossNoticeMethod.enum, {
        description: 'How its loss notices (`lurl`) are called, always without a body: POST (the default), or GET.',
      }),
      example: 'POST',
    },
  },
  /** Whether its creatives' markup is the same in every auction, so that it can be hosted. */
  creatives: {
    state: Type.Optional(CreativesDeclared),
    absent: 'auto',
    newInMessages: true,
    projected: 'newer',
    api: {
      name: 'creatives',
      shown: Type.Enum(CreativesDeclared.enum, { description: 'Whether its markup is the same in every auction.' }),
      written: Type.Enum(CreativesDeclared.enum, {
        description:
          'Whether the markup of a creative is the same in every auction, but for macros, ids of the auction and cache busters: `stable` markup is hosted by the exchange from its second sale on, `dynamic` markup passes as it comes, and `auto` (the default) finds out.',
      }),
      example: 'auto',
    },
  },
  partnerId: {
    state: Nullable(Type.String()),
    initial: null,
    projected: true,
    api: { name: 'partner_id', shown: Nullable(Uuid), written: Nullable(Uuid), example: null },
  },
  /** The number of resets of its circuit breakers; each edge closes its own when this rises. */
  breakerResets: { state: Type.Integer({ minimum: 0 }), initial: 0, projected: true },
  /** The number of resets of its health figures; each edge resets its own when this rises. */
  healthResets: { state: Type.Integer({ minimum: 0 }), initial: 0, projected: true },
  /** The exchange's fee on top of spend, parts per million. */
  feePpm: { state: Type.Integer({ minimum: 0, maximum: 1_000_000 }), initial: 0 },
  /** The pools it takes traffic from, in the order of subscription. */
  poolIds: { state: Type.Array(Type.String()), initial: [], projected: true },
  sourceKey: { state: SourceKey, initial: null },
  /** The generation of its sandbox ledgers (see sandbox-generation.ts). */
  sandboxGeneration: { state: SandboxGeneration, initial: 0, projected: true },
  /** The newest revision says what its budget is. */
  revision: { ...revision, projected: true },
  ...resourceTimes,
});

/** The projection of a demand source, which edges hold. */
export interface DspProjection extends Projection<typeof dspFields> {
  readonly id: string;
  readonly status: 'active' | 'sandbox' | 'archived';
  /** The way in which its loss notices are called; absent: by POST. */
  readonly lossNoticeMethod?: 'POST' | 'GET';
}
