import { defineActor } from '../../runtime/actor/define-actor.ts';
import { creativeDiskMessages } from './messages.ts';
import { CreativeDiskState, noFiles, reduceCreativeDisk } from './reduce.ts';

/** How much the files of all creatives take, and which of them nobody needs any more. There is one: `creativeDiskId`. */
export const creativeDisk = defineActor<typeof CreativeDiskState, typeof creativeDiskMessages>({
  kind: 'creative-disk',
  schemaVersion: 1,
  saving: 'eager',
  state: CreativeDiskState,
  messages: creativeDiskMessages,
  initial: () => noFiles,
  handle: reduceCreativeDisk,
});

export const creativeDiskId = 'all';
