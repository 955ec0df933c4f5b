import Type, { type Static } from 'typebox';
import type { Context } from '../../runtime/actor/context.ts';
import { defineActor, type Effects, type MessageOf } from '../../runtime/actor/define-actor.ts';
import { WebhookEvent } from '../webhook/messages.ts';
import { Happening } from './events.ts';

const Enrolled = Type.Object({
  /** Told of this partner's sources alone; null: of all. */
  partnerId: Type.Union([Type.String(), Type.Null()]),
  sandbox: Type.Boolean(),
  events: Type.Array(WebhookEvent),
});

const State = Type.Object({ webhooks: Type.Record(Type.String(), Enrolled) });
type State = Static<typeof State>;

const messages = {
  /** From a webhook: what it is to be told of from here on. */
  enrol: Type.Object({ webhookId: Type.String(), ...Enrolled.properties }),
  /** From a webhook: it is to be told of nothing any more. */
  strike: Type.Object({ webhookId: Type.String() }),
  /** From the actor that it happened to. */
  happened: Type.Object({
    ...Happening.properties,
    partnerId: Type.Union([Type.String(), Type.Null()]),
    sandbox: Type.Boolean(),
  }),
};

const DAY_MS = 86_400_000;

/**
 * The active webhooks of an account, and which of them an event is for. Id: the account's. All events of an account pass here,
 * one after the other, so what one actor tells in an order reaches each webhook in that order.
 */
export const webhookRoll = defineActor({
  kind: 'webhook-roll',
  schemaVersion: 1,
  saving: 'eager',
  state: State,
  messages,
  initial: (): State => ({ webhooks: {} }),
  handle: reduceRoll,
  // Hears from every source of the account. An outbox that waits for a week, and is told again then, repeats an event.
  forgetActorsMs: 7 * DAY_MS,
});

function reduceRoll({ webhooks }: State, message: MessageOf<typeof messages>, context: Context): Effects<State> {
  switch (message.type) {
    case 'enrol': {
      const { webhookId, ...enrolled } = message.body;
      return { state: { webhooks: { ...webhooks, [webhookId]: enrolled } } };
    }
    case 'strike': {
      const { [message.body.webhookId]: _, ...others } = webhooks;
      return { state: { webhooks: others } };
    }
    case 'happened': {
      const { partnerId, sandbox, ...happening } = message.body;
      const concerned = Object.entries(webhooks).filter(
        ([, webhook]) =>
          webhook.sandbox === sandbox &&
          (webhook.partnerId === null || webhook.partnerId === partnerId) &&
          (webhook.events as readonly string[]).includes(happening.type),
      );
      const body = { ...happening, accountId: context.id };
      return { sends: concerned.map(([id]) => ({ to: `webhook-lane/${id}`, type: 'enqueue', body })) };
    }
  }
}
