import { defineActor } from '../../runtime/actor/define-actor.ts';
import { creativeDiskMessages } from './messages.ts';
import { CreativeDiskState, creativeDiskHandlers, emptyCreativeDisk } from './reduce.ts';

/**
 * The disk space of the files of all creatives, and which of the files are not needed any more. There is one such
 * actor: `creativeDiskId`.
 */
export const creativeDisk = defineActor({
  kind: 'creative-disk',
  schemaVersion: 1,
  saving: 'eager',
  audit: { none: 'It counts the bytes of assets, a consequence of uploads.' },
  state: CreativeDiskState,
  messages: creativeDiskMessages,
  initial: () => emptyCreativeDisk,
  handlers: creativeDiskHandlers,
});

export const creativeDiskId = 'all';
