import { defineActor } from '../../runtime/actor/define-actor.ts';
import { creativeDiskMessages } from './messages.ts';
import { CreativeDiskState, creativeDiskHandlers, emptyCreativeDisk } from './reduce.ts';

/** How much the files of all creatives take, and which of them nobody needs any more. There is one: `creativeDiskId`. */
export const creativeDisk = defineActor({
  kind: 'creative-disk',
  schemaVersion: 1,
  saving: 'eager',
  state: CreativeDiskState,
  messages: creativeDiskMessages,
  initial: () => emptyCreativeDisk,
  handlers: creativeDiskHandlers,
});

export const creativeDiskId = 'all';
