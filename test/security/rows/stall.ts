// biome-ignore-all lint/suspicious/noTemplateCurlyInString: an OpenRTB macro
import type { SecurityRows } from '../attack.ts';

const WINNER = 'edge/auction/one-winner.test.ts';
const INPUT = 'gateways/edge/bad-input.test.ts';

export const rows: SecurityRows = {
  attacks: [
    {
      by: 'sandbox key',
      attack: 'saves markup of 300 KB in which `<script ` is repeated: an auction that it won took 18 s',
      outcome: 'markup is read once and in proportion to its length, and more than 256 KiB of it are not saved',
      file: 'exchange/creative/render/asks-for-mraid.test.ts',
      title: 'is read in proportion to its length, whatever begins in it and never ends',
    },
    {
      by: 'keyless caller',
      attack: 'sends 100 ids alike in a megabyte of text: 1.5 KB of gzip took 2.6 s to rid of them',
      outcome: 'one pass over each text for all ids, once per request, whatever the number of bidders',
      file: 'edge/auction/outgoing-request.test.ts',
      title: 'has its viewer’s ids erased once, whatever the number of bodies',
    },
    {
      by: 'keyless caller',
      attack: 'looks for a pattern, or a function that calls itself, that takes time out of proportion to its input',
      outcome: 'each is listed with its worst case, which grows with its length; a new one fails the test until it is',
      file: 'security/linear/patterns.test.ts',
      title: 'are all listed with what keeps them busiest, or as ones that see nothing from outside',
    },
    {
      by: 'bidder',
      attack:
        'names thousands of plain URLs in one bid’s markup, each in a place that has to be looked at: 86 ms a bid',
      outcome: 'markup that names more than 1,000 of them counts as insecure',
      file: 'exchange/auction/secure-markup.test.ts',
      title: 'stops markup with more plain URLs than real ads have, wherever they stand',
    },
    {
      by: 'bidder',
      attack: 'wins with native markup that nests 98,000 levels deep, which can be read and not be written',
      outcome: 'loses as `creative-rejected` beyond 64 levels; the auction is held again',
      file: WINNER,
      title: 'whose native markup nests 98,000 levels deep loses, and the next one wins',
    },
    {
      by: 'bidder',
      attack: 'answers for a pod with 250 groups that cannot win, of advertisers’ domains with 100 labels each: 9 s',
      outcome:
        'domains above one are found once per bid; the searches of an auction have one bound, after which such groups withdraw together',
      file: 'exchange/auction/pods/fill-break.test.ts',
      title: 'is bounded for an auction whose groups cannot win',
    },
    {
      by: 'bidder',
      attack:
        'bids VAST of thousands of ads, attributes or namespaces, or with a namespace that grows beyond the longest string',
      outcome: 'it is refused, and how long an ad lasts is read without its extensions',
      file: 'exchange/vast/read-vast.test.ts',
      title: 'is refused where it would cost too much',
    },
    {
      by: 'bidder',
      attack: 'wins with markup that makes whatever prepares it fail',
      outcome: 'its bid alone loses, as `creative-rejected`, and the failure is logged',
      file: WINNER,
      title: 'that fails with an unexpected error loses, and the next one wins',
    },
    {
      by: 'bidder',
      attack: 'names a currency of 100,000 characters and repeats its macro in notices and markup: 2 s a notice',
      outcome:
        'such an answer is malformed; what macros make of a notice or of markup is bounded, and longer is not used',
      file: 'gateways/edge/notices.test.ts',
      title: 'sells no markup that its macros make too long, and drops the notices that they make so',
    },
    {
      by: 'bidder',
      attack: 'sends 500 bids whose markup is to be fetched from where there is none: each held the auction again',
      outcome: 'after five rounds its bids without markup lose as `creative-rejected`; others are not affected',
      file: 'edge/auction/winner-markup.test.ts',
      title: 'is asked of no more bids of one bidder when five rounds of them had none, and of its others not at all',
    },
    {
      by: 'bidder',
      attack: 'sends 500 bids whose `nurl` answers with markup that is refused: each held the auction again',
      outcome: 'after five rounds its bids without markup lose, as where there is none',
      file: 'edge/auction/winner-markup.test.ts',
      title: 'is asked of no more bids of one bidder when in five rounds it',
    },
    {
      by: 'bidder',
      attack:
        'sends VAST without `dur` beside bids whose markup is to be fetched: each answer had all of it read again',
      outcome: 'the duration of the fetched markup alone is read',
      file: 'edge/auction/winner-markup.test.ts',
      title: 'has its duration read, and that of no other bid again',
    },
    {
      by: 'keyless caller',
      attack: 'asks with a small request for an answer of any size: 5,000 imps at a delegate were 20 MB',
      outcome: 'more than 50 imps are 400; an answer holds 2 MiB of markup, and what does not fit loses',
      file: WINNER,
      title: 'of a delegate with 256 KB of markup cannot make fifty imps an answer of 13 MB',
    },
    {
      by: 'keyless caller',
      attack: 'fills a megabyte with the fields of objects, which are copied and merged: one body took up to 8 s',
      outcome: '400 for more than 1,000 fields of an object, or 20,000 of a request that is merged',
      file: 'gateways/edge/prebid-server/read-auction.test.ts',
      title: 'refuses more fields than a request may have before it merges any',
    },
    {
      by: 'keyless caller',
      attack: 'names one large stored imp for each of 50 imps: a request of 5 KB took half a second to copy it',
      outcome: 'what is stored counts towards the 20,000 fields each time it is named, before it is copied',
      file: 'gateways/edge/prebid-server/read-auction.test.ts',
      title: 'counts as often as it is named, before any of it is merged',
    },
    {
      by: 'keyless caller',
      attack:
        'asks `/openrtb2/auction` with `debug` under 50 aliases of the exchange: 1.7 KB of gzip were answered with 64 MB',
      outcome: 'the one call is told once, and no debug of more than 256 Ki characters',
      file: 'gateways/edge/prebid-server/auction.test.ts',
      title: 'tells developers of its one call once, under whatever codes it was asked, and not of a large one',
    },
    {
      by: 'publisher',
      attack: 'calls its request `a&price=0.01#`, so that a billing URL with `${AUCTION_ID}` names another price',
      outcome: 'ids are written as URL components wherever a macro stands',
      file: WINNER,
      title: 'is sent the price at which it won, whatever id the request has',
    },
  ],
  budgets: [
    {
      of: 'request',
      resource: 'entries',
      bound:
        '50 imps, 1,000 elements of a list (10,000 of a block list), 1,000 fields of an object (20,000 of a request of Prebid Server’s clients), 64 levels, 16,384 characters of a text, 256 of an id',
      file: INPUT,
      title: 'fifty imps, texts of 16,384 characters, objects of 1,000 fields and ids of 256 are taken',
    },
    {
      of: 'request',
      resource: 'bytes',
      bound: '1 MiB of body, before and after decompression',
      file: INPUT,
      title: 'a gzip bomb is 413, and broken gzip and other codings are refused',
    },
    {
      of: 'request',
      resource: 'bytes',
      bound: '2 MiB of markup in an answer',
      file: WINNER,
      title: 'of a delegate with 256 KB of markup cannot make fifty imps an answer of 13 MB',
    },
    {
      of: 'bidder',
      resource: 'bytes',
      bound: '256 KiB of an answer, 192 KiB of a bid’s markup, 256 characters of an id, 100 domains and categories',
      file: WINNER,
      title: 'has markup and ids within bounds, or is no bid',
    },
  ],
};
