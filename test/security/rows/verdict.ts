import type { SecurityRows } from '../attack.ts';

const JUDGE = 'edge/invalid-traffic/impression-judge.test.ts';
const SPECIFIED = 'specification/invalid-traffic.test.ts';
const CHANNELS = 'edge/tracking/tracking-channels.test.ts';

export const rows: SecurityRows = {
  attacks: [
    {
      by: 'keyless caller',
      attack: 'asks for ads of a source without a device and calls their `burl` itself, 1,000 times',
      outcome: 'invalid (`self-fired`) from the 101st of an hour on: nothing is billed for them',
      file: JUDGE,
      title: 'are invalid from the hundred and first of a keyless, unverified source without devices',
    },
    {
      by: 'keyless caller',
      attack: 'does so over HTTP against a whole exchange, 300 times',
      outcome: '100 are billed, and the viewer’s one that follows',
      file: SPECIFIED,
      title: 'bills a hundred impressions of a machine that calls its own burls without a key, and no more',
    },
    {
      by: 'publisher',
      attack: 'calls pixels from the machine that asked, with the user agent of a browser or none',
      outcome: 'invalid as its `burl`s are',
      file: JUDGE,
      title: 'are invalid by the pixel too, with the user agent of a browser or none',
    },
    {
      by: 'publisher',
      attack: 'calls pixels from bots, data centres and devices that asked for nothing',
      outcome: 'invalid by reason, answered as valid ones are',
      file: JUDGE,
      title: 'are invalid for bots, crawlers, data centres and other devices',
    },
    {
      by: 'publisher',
      attack: 'calls burls on behalf of forwarded devices that are bots, in data centres or not those of the request',
      outcome: 'invalid by reason',
      file: JUDGE,
      title: 'are judged by the device that server-side insertion forwards',
    },
    {
      by: "viewer's page",
      attack: 'makes a `burl`, which is screened as a server’s call, of the pixel in its markup',
      outcome: 'altered: the proof of 128 bits is told by the answer alone',
      file: CHANNELS,
      title: 'cannot be derived from one another with only the markup',
    },
    {
      by: "viewer's page",
      attack: 'changes what the URL says of the request, or leaves it out',
      outcome: 'altered: it is bound by the MAC',
      file: CHANNELS,
      title: 'is bound by the signature with all else',
    },
    {
      by: "viewer's page",
      attack: 'reads from tracking URLs whose device asked, or that two are of the same',
      outcome: 'sealed: none can be read, and no two are alike',
      file: CHANNELS,
      title: 'is unknown where nothing was given, and none can be read or compared by others',
    },
    {
      by: 'keyless caller',
      attack: 'has a crawler call pixels, so that nobody is billed for them any more',
      outcome: 'invalid, and the first valid call bills',
      file: SPECIFIED,
      title: 'bills what a crawler has called for to the first valid call',
    },
    {
      by: 'reader of a backup',
      attack: 'mints tracking URLs with a master secret that was exchanged since',
      outcome: 'worth nothing once it is taken from `SECRET_KEY_PREVIOUS`',
      file: CHANNELS,
      title: 'name themselves, so that earlier ones hold until they are taken away',
    },
    {
      by: 'reader of a backup',
      attack: 'mints tracking URLs with the present master secret, beyond what a limited budget leased to edges',
      outcome:
        'billed, and told: an error in the log and `budget_billed_beyond_leases_nanos_total` when the slot is settled; the audit names it before (“what is billed was leased”)',
      file: 'scheduler/workers/watermark.test.ts',
      title:
        'raises an alarm where more was billed in a window than was ever leased for it, as with a leaked tracking key',
    },
  ],
  budgets: [
    {
      of: 'caller',
      resource: 'entries',
      bound:
        '100 pixels a second of viewers’ devices of one address, ten seconds’ worth at once (`MAX_IMPRESSIONS_PER_SECOND_PER_ADDRESS`)',
      file: JUDGE,
      title: 'are a burst beyond ten seconds’ worth of one address, whatever the source',
    },
    {
      of: 'request',
      resource: 'CPU',
      bound: 'the first 512 characters of a user agent are looked at, linearly',
      file: 'exchange/invalid-traffic/invalid-call.test.ts',
      title: 'is judged in time linear in its length, and no further than its first 512 characters',
    },
  ],
};
