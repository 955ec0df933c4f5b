import Type, { type Static } from 'typebox';
import { defineActor } from '../../runtime/actor/define-actor.ts';
import { SubscribableEvent } from '../webhook/fields.ts';
import { WebhookEvent } from './events.ts';

const Subscription = Type.Object({
  /** The one partner whose sources the subscription covers; null: all. */
  partnerId: Type.Union([Type.String(), Type.Null()]),
  sandbox: Type.Boolean(),
  events: Type.Array(SubscribableEvent),
});

const State = Type.Object({ webhooks: Type.Record(Type.String(), Subscription) });
type State = Static<typeof State>;

const messages = {
  /** From a webhook: subscribes to these events from here on. */
  enrol: Type.Object({ webhookId: Type.String(), ...Subscription.properties }),
  /** From a webhook: unsubscribes from all events. */
  strike: Type.Object({ webhookId: Type.String() }),
  /** From the actor that the event is about. */
  happened: Type.Object({
    ...WebhookEvent.properties,
    partnerId: Type.Union([Type.String(), Type.Null()]),
    sandbox: Type.Boolean(),
  }),
};

const DAY_MS = 86_400_000;

/**
 * The subscriptions of an account: its active webhooks, and which of them an event is for. Id: the account's. All
 * events of an account pass here, one after the other, so events of one actor reach each webhook in their order.
 */
export const webhookSubscriptions = defineActor({
  kind: 'webhook-roll',
  schemaVersion: 1,
  saving: 'eager',
  audit: { none: 'They list webhooks, whose changes are entries.' },
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
  // Every source and every rule for creatives of the account sends events here. An outbox that waits for a week, or
  // while 10,000 others send, and is sent again then repeats an event, which its receiver recognises by its id.
  forgetActorsMs: 7 * DAY_MS,
});
