import { defineActor } from '../../runtime/actor/define-actor.ts';
import { nameMessages } from './messages.ts';
import { NameState, nameHandlers, unreservedName } from './reduce.ts';

/** Who holds a name, so that no two of a kind bear the same. Id: `nameId`. */
export const name = defineActor({
  kind: 'name',
  schemaVersion: 1,
  saving: 'eager',
  state: NameState,
  messages: nameMessages,
  initial: () => unreservedName,
  handlers: nameHandlers,
  // A name may be taken and given up without end. Claims are told apart by their ids, and what a holder says again is still
  // so; an hour is for what a process sent before it stood still, which might say what is so no more.
  forgetActorsMs: 3_600_000,
});
