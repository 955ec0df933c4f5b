import Type, { type Static } from 'typebox';
import { defineActor } from '../../runtime/actor/define-actor.ts';
import { SubscribableEvent } from '../webhook/messages.ts';
import { WebhookEvent } from './events.ts';

const Subscription = Type.Object({
  /** Told of this partner's sources alone; null: of all. */
  partnerId: Type.Union([Type.String(), Type.Null()]),
  sandbox: Type.Boolean(),
  events: Type.Array(SubscribableEvent),
});

const State = Type.Object({ webhooks: Type.Record(Type.String(), Subscription) });
type State = Static<typeof State>;

const messages = {
  /** From a webhook: what it is to be told of from here on. */
  enrol: Type.Object({ webhookId: Type.String(), ...Subscription.properties }),
  /** From a webhook: it is to be told of nothing any more. */
  strike: Type.Object({ webhookId: Type.String() }),
  /** From the actor that it happened to. */
  happened: Type.Object({
    ...WebhookEvent.properties,
    partnerId: Type.Union([Type.String(), Type.Null()]),
    sandbox: Type.Boolean(),
  }),
};

const DAY_MS = 86_400_000;

/**
 * The active webhooks of an account, and which of them an event is for. Id: the account's. All events of an account pass here,
 * one after the other, so what one actor tells in an order reaches each webhook in that order.
 */
export const webhookSubscriptions = defineActor({
  kind: 'webhook-roll',
  schemaVersion: 1,
  saving: 'eager',
  state: State,
  messages,
  initial: (): State => ({ webhooks: {} }),
  handlers: {
    enrol: ({ webhooks }, { webhookId, ...enrolled }) => ({
      state: { webhooks: { ...webhooks, [webhookId]: enrolled } },
    }),
    strike({ webhooks }, { webhookId }) {
      const { [webhookId]: _, ...others } = webhooks;
      return { state: { webhooks: others } };
    },
    happened({ webhooks }, { partnerId, sandbox, ...happening }, { id: accountId }) {
      const concerned = Object.entries(webhooks).filter(
        ([, webhook]) =>
          webhook.sandbox === sandbox &&
          (webhook.partnerId === null || webhook.partnerId === partnerId) &&
          (webhook.events as readonly string[]).includes(happening.type),
      );
      const body = { ...happening, accountId };
      return { sends: concerned.map(([id]) => ({ to: `webhook-lane/${id}`, type: 'enqueue', body })) };
    },
  },
  // Hears from every source of the account. An outbox that waits for a week, and is told again then, repeats an event.
  forgetActorsMs: 7 * DAY_MS,
});
