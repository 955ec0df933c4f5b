import Type from 'typebox';
import { adjustment } from '#actors/adjustment/adjustment';
import { adjustmentId } from '#actors/adjustment/adjustment-id';
import { ADJUSTMENT_REASONS } from '#actors/adjustment/messages';
import { Uuid } from '#actors/api-schemas';
import { campaign } from '#actors/campaign/campaign';
import { dsp } from '#actors/dsp/dsp';
import { publisher } from '#actors/publisher/publisher';
import { nanosOfCents } from '#exchange/money/cents';
import { ApiError } from '#gateways/errors';
import type { ManagementDeps } from '../../deps.ts';
import { nameOfUser } from '../../identity/name-of-user.ts';
import { defineRoute } from '../../routing/route.ts';
import { billedMonth, Month } from '../source-reports/report-query.ts';
import { Adjustment, showAdjustment } from './adjustment.ts';
import { tradedBetween, tradedWith } from './traded-between.ts';

const MOST_NOTE = 500;
/** The largest adjustment: 100 million dollars. */
const MOST_CENTS = 10_000_000_000;

export const bookAdjustment = defineRoute({
  method: 'POST',
  path: '/api/adjustments',
  tag: 'Operators',
  operationId: 'createAdjustment',
  summary: 'Take back billed impressions that were found to be invalid',
  description:
    'For what is found after the call: a list that was updated, an investigation. It is a line of its own on the statements of both sides for the month in which it is booked, and no frozen statement changes. The publisher gives back gross less the fee that it was charged, the demand source gets back gross and its own fee. Both sources are live ones of one account; no more can be taken back than they traded in the month, less what was taken back of it before: 409, which says what is left, in cents with all decimals. Budgets stay as they are. It is booked for good.',
  access: 'operator',
  body: Type.Object(
    {
      publisher_id: Uuid,
      dsp_id: Uuid,
      campaign_id: Type.Optional({
        ...Uuid,
        description: 'A campaign of the demand source, whose impressions they were.',
      }),
      period: {
        ...Month,
        description: 'The month in which the impressions were billed, YYYY-MM, in UTC: this one or one before.',
      },
      impressions: Type.Integer({ minimum: 1, maximum: 1_000_000_000_000 }),
      gross_cents: Type.Number({
        exclusiveMinimum: 0,
        maximum: MOST_CENTS,
        description:
          'What they were billed, before fees. Cents, at most 7 decimals: a nano-dollar, in which impressions are billed, is the last. At most 4 decimals from 500,000,000 cents up.',
      }),
      reason: Type.Enum([...ADJUSTMENT_REASONS], {
        description: 'A reason of invalid traffic, or `investigation`. Both sides see it.',
      }),
      note: Type.Optional(Type.String({ maxLength: MOST_NOTE, description: 'For operators.' })),
    },
    { additionalProperties: false },
  ),
  examples: {
    body: {
      publisher_id: '00000000-0000-4000-8000-00000000000a',
      dsp_id: '00000000-0000-4000-8000-00000000000b',
      period: '2026-02',
      impressions: 400,
      gross_cents: 100,
      reason: 'data-centre',
      note: 'Networks added to the list on 3 March.',
    },
  },
  errors: ['NOT_FOUND', 'CONFLICT'],
  answer: { status: 201, schema: Adjustment },
  async handle({ body, caller, identity, parts }) {
    const { publisher_id: publisherId, dsp_id: dspId, campaign_id: campaignId = null, period, impressions } = body;
    const { window } = billedMonth(period, parts.clock.now(), 'period');
    const grossNanos = nanosOf(body.gross_cents);
    await checkSources(parts, publisherId, dspId, campaignId);
    const traded = await tradedBetween(parts.store, { publisherId, dspId }, window);
    const campaignTraded =
      campaignId === null
        ? null
        : await tradedWith(parts.store, { scope: 'campaign', id: campaignId }, publisherId, window);
    const booked = await parts.messenger.ask(
      adjustment,
      adjustmentId({ publisherId, dspId, period }),
      'book',
      {
        ...{ campaignId, impressions, grossNanos, reason: body.reason, note: body.note ?? '' },
        by: await nameOfUser(parts, caller),
        ...{ traded, campaignTraded },
      },
      { requestId: identity.askId() },
    );
    return showAdjustment({ publisherId, dspId, period }, booked);
  },
});

function nanosOf(cents: number): string {
  const nanos = nanosOfCents(cents);
  if (nanos === null) {
    throw new ApiError(
      'VALIDATION_ERROR',
      'gross_cents must have at most 7 decimals, the last of which is a nano-dollar, and at most 4 from 500,000,000 cents up, where a number does not hold nano-dollars exactly.',
      'gross_cents',
    );
  }
  return String(nanos);
}

interface OwnedState {
  readonly accountId: string;
  readonly sandbox?: boolean;
  readonly dspId?: string;
}

/**
 * Asserts that both are live sources of one account, archived or not, and that the campaign is the demand source's;
 * NOT_FOUND otherwise.
 */
async function checkSources(
  { store }: ManagementDeps,
  publisherId: string,
  dspId: string,
  campaignId: string | null,
): Promise<void> {
  const documents = await store.load([
    { kind: publisher.kind, id: publisherId },
    { kind: dsp.kind, id: dspId },
    ...(campaignId === null ? [] : [{ kind: campaign.kind, id: campaignId }]),
  ]);
  const [seller, buyer, ofCampaign] = documents.map((document) =>
    document && !document.deleted ? (document.state as OwnedState) : null,
  );
  if (!seller || seller.sandbox) throw new ApiError('NOT_FOUND', 'The publisher does not exist, or is in the sandbox.');
  if (!buyer || buyer.sandbox || buyer.accountId !== seller.accountId) {
    throw new ApiError(
      'NOT_FOUND',
      'The demand source does not exist in the publisher’s account, or is in the sandbox.',
    );
  }
  if (campaignId !== null && ofCampaign?.dspId !== dspId) {
    throw new ApiError('NOT_FOUND', 'The campaign is none of the demand source’s.');
  }
}
