import Type, { type Static } from 'typebox';
import type { Context } from '../../runtime/actor/context.ts';
import { type Changes, defineActor } from '../../runtime/actor/define-actor.ts';
import { publishWebhookEvent } from '../webhook-subscriptions/publish-event.ts';

const Instant = Type.Integer({ minimum: 0 });
const Rate = Type.Number({ minimum: 0, maximum: 1 });

const State = Type.Object({
  /** True when the rate has fallen below the threshold, an alert was sent, and it has not recovered. */
  low: Type.Boolean(),
  threshold: Type.Union([Rate, Type.Null()]),
  /**
   * The environment of the source in the last window. Absent before the first one, and in states of a release that did
   * not keep it; then it counts as the present one.
   */
  sandbox: Type.Optional(Type.Boolean()),
  /** The end of the last window that was observed, ms since the epoch. */
  toMs: Instant,
});
type State = Static<typeof State>;

const messages = {
  /**
   * The figures of one window, and the present source; a window that does not end later than the last one changes
   * nothing.
   */
  observed: Type.Object({
    accountId: Type.String(),
    partnerId: Type.Union([Type.String(), Type.Null()]),
    sandbox: Type.Boolean(),
    publisherName: Type.String(),
    threshold: Rate,
    imps: Type.Integer({ minimum: 0 }),
    filledImps: Type.Integer({ minimum: 0 }),
    fromMs: Instant,
    toMs: Instant,
  }),
};

/** A rate of fewer imps than this is not judged. */
const MIN_IMPS = 1_000;

/** A rate has recovered when it is 10% above its threshold, so that a rate that wavers about it causes one alert. */
const RECOVERY_FACTOR = 1.1;

/**
 * The watch of a source's fill rate: whether it is below its threshold. Id: the source's. Webhooks get one event for
 * each fall, and for each environment in which it is low.
 */
export const fillRateWatch = defineActor({
  kind: 'fill-rate-watch',
  schemaVersion: 1,
  saving: 'eager',
  audit: { none: 'They are written by a job.' },
  state: State,
  messages,
  initial: (): State => ({ low: false, threshold: null, toMs: 0 }),
  handlers: { observed },
});

function observed(former: State, body: Static<typeof messages.observed>, context: Context): Changes<State> {
  const { threshold, sandbox, imps, filledImps, fromMs, toMs } = body;
  if (toMs <= former.toMs || imps < MIN_IMPS) return {};
  const rate = Math.min(1, filledImps / imps);
  const moved = former.sandbox !== undefined && former.sandbox !== sandbox;
  const wasLow = former.low && former.threshold === threshold && !moved;
  const low = wasLow ? rate < Math.min(1, threshold * RECOVERY_FACTOR) : rate < threshold;
  const state = { low, threshold, sandbox, toMs };
  if (!low || wasLow) return { state };
  const { accountId, partnerId, publisherName } = body;
  const alert = publishWebhookEvent(
    {
      accountId,
      partnerId,
      sandbox,
      type: 'publisher.fill_rate_alert',
      resource: `publisher/${context.id}`,
      data: {
        publisher_id: context.id,
        publisher_name: publisherName,
        fill_rate: rate,
        threshold,
        imps,
        window_start: new Date(fromMs).toISOString(),
        window_end: new Date(toMs).toISOString(),
      },
    },
    context,
  );
  return { state, sends: [alert] };
}
