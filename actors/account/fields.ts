import Type, { type Static } from 'typebox';
import { Name, Uuid } from '../api-schemas.ts';
import { defineFields, type Projection } from '../field-table.ts';
import { resourceTimes, revision } from '../resource-fields.ts';
import { LimitOverrides } from './limits.ts';
import { requestsPerMinuteOf, Tier } from './tier.ts';

const Figures = Type.Record(Type.String(), Type.Integer({ minimum: 0 }));

/** Figures for each limit, live and in the sandbox. */
export const Environments = (description: string) => Type.Object({ live: Figures, sandbox: Figures }, { description });

const overrides = {
  state: Type.Optional(LimitOverrides),
  projected: 'newer',
  absent: {},
} as const;

const WrittenOverrides = Type.Unsafe<Static<typeof LimitOverrides>>({
  ...LimitOverrides,
  description:
    "By the names that `limits` shows, in the place of all that was set before; what is left out is as the tier says. Operators' alone.",
});

/** An account, field by field. */
export const accountFields = defineFields({
  id: { api: { name: 'id', shown: Uuid } },
  open: { state: Type.Boolean(), initial: false },
  name: {
    state: Type.String(),
    message: Type.String({ minLength: 1 }),
    initial: '',
    projected: true,
    api: { name: 'name', shown: Type.String(), written: Name, required: true },
  },
  tier: {
    state: Tier,
    initial: 'standard',
    projected: true,
    api: { name: 'tier', shown: Tier, written: Tier },
  },
  /** The request rate of the management API, for all keys and sessions of the account together. */
  requestsPerMinute: {
    state: Type.Integer({ minimum: 1 }),
    message: Type.Optional(Type.Integer({ minimum: 1 })),
    initial: requestsPerMinuteOf.standard,
    projected: true,
    api: {
      name: 'requests_per_minute',
      shown: Type.Integer({
        description: 'Of the management API, for all keys and sessions of the account together.',
      }),
      written: Type.Integer({
        minimum: 1,
        maximum: 10_000_000,
        description: 'Of an enterprise account alone; the other tiers have theirs. 5,000 until one is set.',
      }),
    },
  },
  /** The limits that operators have set in place of the tier's; new ones replace those that were set before. */
  limits: { ...overrides, api: { name: 'limits', written: WrittenOverrides } },
  sandboxLimits: { ...overrides, api: { name: 'sandbox_limits', written: WrittenOverrides } },
  /** The limits that apply: those of the tier, but for those that operators have set. */
  effectiveLimits: {
    api: { name: 'limits', shown: Environments('What the account may have, in all: counts, and bytes.') },
  },
  revision,
  ...resourceTimes,
});

/** The projection of an account, which every gateway holds. */
export interface AccountProjection extends Projection<typeof accountFields> {
  readonly id: string;
}
