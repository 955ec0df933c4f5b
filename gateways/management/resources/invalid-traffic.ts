import Type, { type Static } from 'typebox';
import { invalidTraffic } from '#actors/ledger/report/invalid-traffic';
import { INVALID_REASONS, type InvalidReason } from '#exchange/invalid-traffic/invalid-reason';

const Count = (description: string) => Type.Integer({ minimum: 0, description });

/** Invalid traffic as every part of the API shows it. */
export const InvalidTraffic = Type.Object(
  {
    total: Count('Impressions that were called for by invalid traffic, each once.'),
    billed_later: Count('Of such impressions, those that a valid call has billed after all: they are impressions too.'),
    gross_cents: Type.Number({
      description: 'What all of them would have been billed, up to a bound of the day. Cents, up to 4 decimals.',
    }),
    billed_later_cents: Type.Number({ description: 'What those that a valid call has billed were billed.' }),
    reasons: Type.Array(
      Type.Object({
        reason: Type.String({ examples: ['data-centre'] }),
        count: Type.Integer({ minimum: 0 }),
        billed_later: Type.Integer({ minimum: 0 }),
        description: Type.String(),
      }),
      { description: 'The most frequent first.' },
    ),
  },
  {
    title: 'InvalidTraffic',
    description:
      'Impressions that were taken in and not billed, by the reason found when the call came. A valid call that follows within the window bills such an impression, of whatever later time.',
  },
);
export type InvalidTraffic = Static<typeof InvalidTraffic>;

/** Shows invalid traffic. `counts` are those of ledgers, by name; they may contain other counts. */
export function showInvalidTraffic(counts: ReadonlyMap<string, number>): InvalidTraffic {
  const { total, billedLater, grossCents, billedLaterCents, reasons } = invalidTraffic(counts);
  return {
    ...{ total, billed_later: billedLater, gross_cents: grossCents, billed_later_cents: billedLaterCents },
    reasons: reasons.map(({ reason, count, billedLater: later }) => ({
      ...{ reason, count, billed_later: later, description: explainInvalid(reason) },
    })),
  };
}

/** The words for a reason. The unknown name of another release stands for itself. */
export function explainInvalid(reason: string): string {
  return Object.hasOwn(INVALID_REASONS, reason) ? INVALID_REASONS[reason as InvalidReason] : reason;
}
