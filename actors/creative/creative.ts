import { defineActor } from '../../runtime/actor/define-actor.ts';
import { DYNAMIC_FINGERPRINT } from './dynamic-fingerprint.ts';
import { creativeMessages } from './messages.ts';
import type { CreativeProjection } from './projection.ts';
import { CreativeState, creativeHandlers, noCreative } from './reduce.ts';

/**
 * A creative that a demand source has sold, or tried to sell to a publisher that reviews creatives: what edges saw of
 * it, what a scan found, whether it is hosted. Id: `creativeId`.
 */
export const creative = defineActor({
  kind: 'creative',
  schemaVersion: 1,
  saving: 'eager',
  audit: {
    entry: 'message',
    none: {
      seen: 'What edges saw.',
      decided: 'The decision is an entry of its rule.',
      claim: 'A process scans it.',
      scanned: 'What a scan found.',
      'scan-failed': 'What a scan found.',
      hosted: 'A consequence of what edges saw.',
      'not-hosted': 'A consequence of what edges saw.',
      forget: 'Nobody saw it for long.',
    },
  },
  state: CreativeState,
  messages: creativeMessages,
  initial: () => noCreative,
  handlers: creativeHandlers,
  projection: ({ accountId, dspId, fingerprint, scan, hosting }): CreativeProjection | null =>
    accountId === ''
      ? null
      : {
          dspId,
          clean: scan.status === 'clean',
          dynamic: fingerprint === DYNAMIC_FINGERPRINT,
          hosted: hosting.status === 'hosted' ? hosting.file : null,
        },
  indexes: [
    'accountId',
    'dspId',
    'publisherIds',
    'fingerprint',
    'lastSeenAt',
    'firstSeenAt',
    'nextScanAt',
    'changedAt',
    'marks',
  ],
});
