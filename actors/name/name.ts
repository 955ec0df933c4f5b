import { defineActor } from '../../runtime/actor/define-actor.ts';
import { nameMessages } from './messages.ts';
import { freeName, NameState, reduceName } from './reduce.ts';

/** Who holds a name, so that no two of a kind bear the same. Id: `nameId`. */
export const name = defineActor({
  kind: 'name',
  schemaVersion: 1,
  saving: 'eager',
  state: NameState,
  messages: nameMessages,
  initial: () => freeName,
  handle: reduceName,
});
