import { defineActor } from '../../runtime/actor/define-actor.ts';
import { nameMessages } from './messages.ts';
import { NameState, nameHandlers, unreservedName } from './reduce.ts';

/** The reservation of a unique name, so that no two resources of a kind have the same. Id: `nameId`. */
export const name = defineActor({
  kind: 'name',
  schemaVersion: 1,
  saving: 'eager',
  audit: { none: 'They are claimed for a resource, whose change is an entry.' },
  state: NameState,
  messages: nameMessages,
  initial: () => unreservedName,
  handlers: nameHandlers,
  // A name may be taken and released without end. Claims are distinguished by their ids, so a repeated message of a
  // holder stays valid; an hour is for messages that a process sent before it stood still, which may be outdated.
  forgetActorsMs: 3_600_000,
});
