// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are OpenRTB macros

import { expect } from 'chai';
import { decideAuction } from '#exchange/auction/auction';
import { fillBreak } from '#exchange/auction/pods/fill-break';
import { UNCONSTRAINED_PLACEMENT } from '#exchange/auction/pods/pod-placement';
import { selectWinners } from '#exchange/auction/select-winners';
import { eraseIds } from '#exchange/consent/erase-ids';
import { withoutPersonalData } from '#exchange/consent/without-personal-data';
import type { BidRequest } from '#exchange/openrtb/bid-request';
import { deepCopy } from '#exchange/openrtb/deep-copy';
import { extentBound, MAX_DEPTH } from '#exchange/openrtb/shape';
import { fieldReader } from '#exchange/strategy/read-field';
import { readVast } from '#exchange/vast/read-vast';
import { ResponseParser } from '#gateways/bidders/channels/response-parser';
import { CreativeRefused } from '#gateways/creatives/fetch/failures';
import { Findings } from '#gateways/creatives/scan/findings';
import { absolute } from '#gateways/creatives/scan/scan-html';
import { ScanTrail } from '#gateways/creatives/scan/scan-trail';
import { DEFAULT_CREATIVE_SETTINGS } from '#gateways/creatives/settings';
import { mergePatch } from '#gateways/http/merge-patch';
import { parseResponseBody } from '#gateways/management/resources/sandbox/test-bid/parse-response-body';
import { READERS } from '../../fuzz/readers.ts';
import type { Work } from './growth.ts';

/** Makes an input of a length, and what is done with it. */
export type Prepare = (length: number) => Work;

const request = (fields: object): BidRequest => ({ id: 'r', imp: [{ id: '1', banner: { w: 1, h: 1 } }], ...fields });
const reading = (name: string, text: (length: number) => string): Prepare => {
  return (length) => {
    const input = text(length);
    return () => READERS[name]!.read(input);
  };
};
const repeated = (part: string, length: number): string => part.repeat(Math.ceil(length / part.length));
const nested = (open: string, inner: string, close: string, levels: number): string =>
  open.repeat(levels) + inner + close.repeat(levels);

/** An id is at least as long as what is looked for one by one, alike to its first 60 characters. */
const ids = (count: number) => Array.from({ length: count }, (_, index) => `${'a'.repeat(60)}${index}`);
const withIds = (count: number) => ({ user: { eids: [{ source: 's', uids: ids(count).map((id) => ({ id })) }] } });

const httpAnswer = (field: string, part: string, length: number): Work => {
  const bytes = Buffer.from(`HTTP/1.1 200 OK\r\n${field}\r\n\r\n${repeated(part, length)}`);
  const parser = new ResponseParser();
  return () => {
    parser.begin();
    parser.read(bytes, 0, bytes.length, { head: () => undefined, body: () => true });
  };
};

const wideLists = (length: number): unknown => JSON.parse(nested('[', repeated('1,', length).slice(0, -1), ']', 6));

/**
 * Functions that call themselves, by file and name, each with what keeps them busiest; or why nothing from outside is
 * in their way.
 */
export const RECURSIONS: Readonly<Record<string, Readonly<Record<string, Prepare | string>>>> = {
  'exchange/auction/pods/fill-break': { search: breakOf },
  'exchange/consent/erase-ids': {
    holdsAny: (length) => {
      const offered = request({ ext: { list: wideLists(length), text: repeated('a', length) } });
      return () => eraseIds(request(withIds(100)), offered);
    },
    erased: (length) => {
      const offered = request({ ext: { list: wideLists(length), text: repeated(`${ids(1)[0]!} `, length) } });
      return () => eraseIds(request(withIds(100)), offered);
    },
  },
  'exchange/consent/without-personal-data': { keptOf: kept, keptBelow: kept, ...declaredOnce('collectPaths') },
  'exchange/creative/drop-nulls': {
    dropNulls: reading('native', (length) => `{"assets":[${repeated('{"img":{"url":null}},', length)}{}]}`),
  },
  'exchange/openrtb/bid-request-shape': declaredOnce('objectCheck', 'fieldCheck'),
  'exchange/openrtb/conversion': declaredOnce('partsOf', 'stepThrough'),
  'exchange/openrtb/deep-copy': {
    deepCopy: (length) => {
      const document: unknown = JSON.parse(nested('{"a":', `[${repeated('[],', length).slice(0, -1)}]`, '}', 60));
      return () => deepCopy(document);
    },
  },
  'exchange/openrtb/shape': {
    unknownFault: reading('openrtb', (length) => openrtb(`"ext":${nested('[', '1', ']', length)}`)),
    partFault: (length) => {
      const document: unknown = JSON.parse(nested('{"a":', `[${repeated('[],', length).slice(0, -1)}]`, '}', 60));
      return () => extentBound(Number.POSITIVE_INFINITY)(document);
    },
    isWithinDepth: reading('native', (length) => `{"assets":[],"ext":${nested('[', '1', ']', length)}}`),
  },
  'exchange/strategy/index/tree/conjunction-tree': treeOf('#insert', '#descend', '#divide', '#takeBelow'),
  'exchange/strategy/index/tree/node': treeOf('forEachNode', 'search'),
  'exchange/strategy/openrtb-fields': declaredOnce('fieldsOf', 'kindOf'),
  'exchange/strategy/read-field': { valuesAt: valuesOf, valuesBelow: valuesOf, collect: valuesOf },
  'exchange/vast/read/xml-fragment': {
    write: (length) => vastWith(`<x>${nested('<a>', '', '</a>', 40)}</x>`, length),
  },
  'gateways/management/resources/sandbox/test-bid/parse-response-body': {
    isFlat: (length) => {
      const text = `{"a":${nested('[', '1', ']', length)}}`;
      const outcome = { document: JSON.parse(text) as unknown };
      return () => parseResponseBody({ outcome, status: 200, text, latencyMs: 0 });
    },
  },
  'gateways/http/merge-patch': {
    mergePatches: (length) => {
      const patch: unknown = JSON.parse(nested(`{"a":{},"b":`, `[${repeated('1,', length).slice(0, -1)}]`, '}', 60));
      return () => mergePatch({}, patch);
    },
  },
  'actors/audit-entry/redact': ourOwn(
    'to a depth of its own, over documents that were validated when they were saved',
    'redacted',
  ),
  'gateways/management/openapi/examples': ourOwn(
    'over the schemas of the API itself',
    'composeExample',
    'composeObject',
    'mayBe',
  ),
  'gateways/management/openapi/schemas': ourOwn('over the schemas of the API itself', '.write', '#copy'),
  'edge/creatives/creative-sightings': ourOwn(
    'counts the bids of one auction, once each, and wakes up by a timer',
    '#add',
    '#look',
    '.start',
    'seen',
  ),
  'edge/number-table': ourOwn('grows a table once, by its own size', '.set', '#rebuild'),
  ...timers({
    'async/pause': ['end'],
    'async/semaphore': ['onPermit', 'onAbort'],
    'async/signal': ['end'],
    'async/ticker': ['.start'],
    'gateways/bidders/channels/socket-channel': ['#open', '#opened', '#read', '#ended', '#lost'],
    'gateways/bidders/channels/socket-channels': ['#sweep'],
    'gateways/bidders/fan-out': ['#armTimer', '#timeOut'],
    'gateways/bidders/notices/host-notices': ['.schedule', '#sendSome', '#send', '#ended'],
    'gateways/bidders/notices/retry-queue': ['#wakeAt', '#wake'],
    'gateways/creatives/bounded-thread': ['settle', 'onMessage', 'onBroken'],
    'edge/budgets/leased-budgets': ['.start', '#ask'],
    'edge/budgets/region/region-lender': ['.start'],
    'edge/budgets/sale-ceilings': ['.start', '#drain', '#send'],
    'edge/budgets/shares/publisher-shares': ['.start'],
    'edge/pace/shared-campaign-pace': ['.start'],
    'edge/delegates/shared-frequency-caps': ['#countSoon', '#countWaiting'],
    'edge/facts/facts': ['.start'],
    'gateways/edge/http/body-reads': ['#endOverdue'],
    'gateways/http/connection-limits': ['#checkProgress'],
    'edge/impressions/impression-ingest': ['#recoverSoon', '#recover', '#replaySpool'],
    'edge/impressions/partition-batches': ['#sendNext', '#answered'],
    'gateways/live/metrics-push': ['wait', 'waitForSockets'],
    'gateways/webhooks/webhook-dispatcher': ['round', 'next', '#beginDue', '#beginQueue', '#attempt'],
  }),
};

/** What reads or decides by words of others without calling itself, and the libraries behind it. */
export const FUNCTIONS: Readonly<Record<string, Prepare>> = {
  'a bidder’s answer, in chunks of one byte': (length) =>
    httpAnswer('Transfer-Encoding: chunked', `1\r\nx\r\n`, length),
  'a bidder’s answer, of a chunk’s zeros': (length) => httpAnswer('Transfer-Encoding: chunked', '0', length),
  'a banner’s markup, of elements within elements': reading('html', (length) =>
    repeated('<div><a href="//a.b">', length),
  ),
  'a banner’s markup, of ends without beginnings': reading(
    'html',
    (length) => repeated('<b>', 1_000) + repeated('</i>', length),
  ),
  'a banner’s markup, of attributes': reading('html', (length) => `<a ${repeated('b="c" ', length)}>`),
  'a banner’s script, of sums': reading('html', (length) => `a=${repeated('"<img>"+', length)}1`),
  'a banner’s script, of brackets': reading('html', (length) => repeated('[', length)),
  'a banner’s script, of functions within functions': reading('html', (length) =>
    repeated('top.location=function(){', length),
  ),
  'a banner’s script, of assignments': reading('html', (length) => repeated('top.location=a;b.onclick=c;', length)),
  'a creative’s markup, of beginnings of scripts': reading('vast', (length) => repeated('<script ', length)),
  'a creative’s markup, of a script’s attributes': reading(
    'vast',
    (length) => `<script ${repeated('src=a/ src ', length)}`,
  ),
  'plain URLs in places where nothing is loaded': reading('vast', (length) =>
    repeated('"link":{"url":"http://', length),
  ),
  'VAST, of attributes': reading('vast', (length) => `<VAST version="3.0" ${numbered('a', '="b"', length)}>`),
  'VAST, of prefixes around many elements': (length) => {
    const prefixes = numberedPrefixes(length);
    return vastWith(`<x ${prefixes}>${repeated('<y/>', length)}</x>`, 1);
  },
  'VAST, of declared prefixes': (length) => vastWith('<p:x xmlns:p="urn:p" p:a="b" p:c="d"/>', length),
  'VAST, of undeclared prefixes within many elements': (length) => {
    const within = Array.from({ length: Math.ceil(length / 8) }, (_, at) => `<z${at}:e/>`).join('');
    return vastWith(`${'<a>'.repeat(50)}${within}${'</a>'.repeat(50)}`, 1);
  },
  'VAST, of many ads': reading(
    'vast',
    (length) => `<VAST version="3.0">${repeated('<Ad><InLine></InLine></Ad>', length)}</VAST>`,
  ),
  'VAST, of entities': reading('vast', (length) => `<VAST version="3.0">${repeated('&amp;', length)}</VAST>`),
  'VAST, of an open tag': reading('vast', (length) => `<VAST ${repeated('<', length)}`),
  'an OpenRTB request, of categories': reading('openrtb', (length) =>
    openrtb(`"bcat":[${repeated('"IAB1",', length)}"a"]`),
  ),
  'an OpenRTB request, of names': reading('openrtb', (length) =>
    openrtb(`"ext":{${numbered('"a', '":1,', length)}"b":1}`),
  ),
  'an OpenRTB request, of a text': reading('openrtb', (length) => openrtb(`"ext":{"a":"${repeated('a', length)}"}`)),
  'a bid response, of seats': reading(
    'bid-response',
    (length) => `{"id":"r","seatbid":[${repeated('{"bid":[]},', length)}{"bid":[]}]}`,
  ),
  'a native answer, of trackers': reading(
    'native',
    (length) => `{"assets":[],"imptrackers":[${repeated('"a",', length)}"a"]}`,
  ),
  'a strategy, of faults': reading('strategy', (length) => `{"campaigns":[${repeated('{"a":1},', length)}1]}`),
  'a strategy, of names that nobody knows': reading('strategy', (length) => `{${numbered('"a', '":1,', length)}"b":1}`),
  'ads.txt, of lines': reading('ads-txt', (length) => repeated('a.example,1,DIRECT\n', length)),
  'ads.txt, of variables': reading('ads-txt', (length) => repeated('MANAGERDOMAIN=a.example\n', length)),
  'ads.txt, of one line': reading('ads-txt', (length) => repeated(' ,', length)),
  'a cookie header': reading('cookies', (length) => repeated('viewer=a; ', length)),
  'the query of a tracking URL': reading('tracking-urls', (length) => repeated('id=a&', length)),
  'a query of escapes': reading('tracking-urls', (length) => `id=${repeated('%41', length)}`),
  'a TC string': reading('tc-strings', (length) => `C${repeated('_', length)}`),
  'a GPP string, of sections': reading('gpp', (length) => `DBABMA${repeated('~A', length)}`),
  'a user agent': reading('user-agents', (length) => repeated('bot/ cu', length)),
  'the name of a host': reading('user-agents', (length) => repeated('a.', length)),
  'the name of a host, of one label in Chinese letters': reading('user-agents', chineseLetters),
  'the name of a host, of one label in the ASCII form of such letters': reading(
    'user-agents',
    (length) => `xn--${repeated('abcdefgh9', length)}`,
  ),
  'where a creative leads, to a host of one label in Chinese letters': (length) => {
    const address = `https://${chineseLetters(length)}/`;
    const trail = new ScanTrail(DEFAULT_CREATIVE_SETTINGS, new Findings());
    return () => expect(() => trail.step(address)).to.throw(CreativeRefused);
  },
  'a picture of a frame, on a host of one label in Chinese letters': (length) => {
    const [address, base] = [`\\\\${chineseLetters(length)}/`, new URL('https://ads.test/')];
    return () => absolute(address, base);
  },
  'an advertiser’s domain, of slashes before a line’s end': reading(
    'user-agents',
    (length) => `${repeated('/', length)}\n`,
  ),
  macros: reading('macros', (length) => repeated('${AUCTION_ID}', length)),
  'macros that never end': reading('macros', (length) => repeated('${AUCTION_', length)),
  'groups of bids that stand in each other’s way': (length) => {
    const contenders = Array.from({ length: Math.ceil(length / 4) }, (_, index) => ({
      impId: String(index % 2),
      clearingCpmMicros: index,
      placing: UNCONSTRAINED_PLACEMENT,
      group: String(index >> 1),
    }));
    return () => selectWinners(contenders, () => 0);
  },
  'bids of one bidder, on imps with deals': (length) => {
    const bids = Array.from({ length: Math.ceil(length / 8) }, (_, index) => ({
      bid: { id: String(index), impid: '1', price: 1, adm: '<b>', w: 1, h: 1, adomain: ['a.test'] },
      seat: null,
      group: null,
    }));
    const terms = {
      publisherFloorCpmMicros: 0,
      poolFloorCpmMicros: 0,
      blockedCategories: [],
      blockedDomains: ['b.test'],
    };
    return () =>
      decideAuction({ request: request({}), terms, offers: [{ dspId: 'd', currency: 'USD', bids }], random: () => 0 });
  },
};

function chineseLetters(length: number): string {
  return Array.from({ length }, (_, index) => String.fromCodePoint(0x4e00 + (index % 20_000))).join('');
}

function openrtb(field: string): string {
  return `{"id":"r","imp":[{"id":"1","banner":{"w":1,"h":1}}],"user":{"id":"somebody-4711"},${field}}`;
}

function numbered(before: string, after: string, length: number): string {
  const parts: string[] = [];
  for (let written = 0; written < length; written += before.length + after.length + 4)
    parts.push(`${before}${parts.length}${after} `);
  return parts.join('');
}

function numberedPrefixes(length: number): string {
  return Array.from({ length: Math.ceil(length / 24) }, (_, at) => `xmlns:p${at}="u${at}" p${at}:a=""`).join(' ');
}

function breakOf(length: number): Work {
  const placing = { ...UNCONSTRAINED_PLACEMENT, seconds: 1 };
  const contenders = Array.from({ length: Math.ceil(length / 4) }, (_, index) => ({
    impId: String(index % 50),
    clearingCpmMicros: 1_000 + (index % 7),
    placing: { ...placing, creative: String(index % 3) },
  }));
  const slots = new Map(
    Array.from({ length: 50 }, (_, index) => [String(index), { impId: String(index), maxAds: 20, maxSeconds: 60 }]),
  );
  return () => fillBreak({ slots, separated: new Set(['creative']) }, contenders, () => 0);
}

function kept(length: number): Work {
  const imp = Array.from({ length: Math.ceil(length / 64) }, (_, index) => ({
    id: String(index),
    banner: { w: 1, h: 1 },
  }));
  const large = request({ imp, site: { keywords: repeated('a ', length), content: { genres: [1] } } });
  return () => withoutPersonalData(large, 'child');
}

function valuesOf(length: number): Work {
  const read = fieldReader('user.ext.list.a');
  const view = { request: request({ user: { ext: { list: wideLists(length) } } }), imp: null, publisherGenre: null };
  return () => read(view);
}

function vastWith(extension: string, length: number): Work {
  const [sample = ''] = READERS.vast!.samples;
  const document = sample.replace(
    /<Extension .*<\/Extension>/,
    () => `<Extension>${repeated(extension, length)}</Extension>`,
  );
  if (!readVast(document).ok) throw new Error('the document is not read to its end');
  return () => readVast(document);
}

/** What goes through the tables of a bid request's fields. */
function declaredOnce(...names: string[]): Record<string, string> {
  return ourOwn('over the tables that declare the fields of a bid request, once, when the process starts', ...names);
}

function ourOwn(why: string, ...names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, why]));
}

function timers(
  files: Readonly<Record<string, readonly string[]>>,
): Readonly<Record<string, Readonly<Record<string, string>>>> {
  return Object.fromEntries(
    Object.entries(files).map(([file, names]) => [
      file,
      ourOwn('comes to itself by a timer or an event, not by its input', ...names),
    ]),
  );
}

/**
 * Of campaigns that were validated: as deep as one of them has different demands, which are bounded when it is saved.
 */
function treeOf(...names: readonly string[]): Readonly<Record<string, string>> {
  return ourOwn(
    `as deep as a campaign has demands, a hundred conditions and its targeting; not as ${MAX_DEPTH} levels of a request`,
    ...names,
  );
}
