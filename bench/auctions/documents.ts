import { randomBytes } from 'node:crypto';

/** Size of an ad request: the 1.7 KB of a typical banner request from a phone. */
const REQUEST_BYTES = 1_700;
/** Size of a bid response. */
const ANSWER_BYTES = 1_024;
const ID_LENGTH = 24;
const ID_AT = '{"id":"'.length;

/** An ad request without its id, which is written into each copy. */
export function adRequest(publisherId: string): Buffer {
  const document = {
    id: '0'.repeat(ID_LENGTH),
    imp: [
      {
        id: '1',
        banner: { format: [{ w: 300, h: 250 }], w: 300, h: 250, pos: 1, api: [3, 5], battr: [1, 3, 5, 8, 9] },
        displaymanager: 'sdk',
        displaymanagerver: '7.4.1',
        instl: 0,
        tagid: 'home-middle',
        bidfloor: 0.25,
        bidfloorcur: 'USD',
        secure: 1,
        exp: 3600,
      },
    ],
    app: {
      id: publisherId,
      name: 'A puzzle for the train',
      bundle: 'com.example.puzzle',
      domain: 'games.example',
      storeurl: 'https://play.google.com/store/apps/details?id=com.example.puzzle',
      cat: ['IAB9-23', 'IAB9-30'],
      ver: '4.21.0',
      publisher: { id: publisherId, name: 'Example Games', domain: 'games.example' },
      content: { genre: 'puzzle', language: 'en', context: 4 },
    },
    device: {
      ua: 'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Mobile Safari/537.36',
      ip: '203.0.113.77',
      devicetype: 4,
      make: 'Google',
      model: 'Pixel 8',
      os: 'Android',
      osv: '14',
      w: 1080,
      h: 2400,
      ppi: 428,
      pxratio: 2.625,
      js: 1,
      language: 'en',
      carrier: 'Example Telecom',
      connectiontype: 6,
      ifa: '6f3e2c1a-5b7d-4e8f-9a0b-1c2d3e4f5a6b',
      lmt: 0,
      geo: {
        lat: 51.5074,
        lon: -0.1278,
        type: 2,
        country: 'GBR',
        region: 'ENG',
        city: 'London',
        zip: 'SW1A',
        utcoffset: 0,
      },
    },
    user: {
      id: 'b5c1e7f0a9d24c3e8f6b7a1d0c9e8f7a',
      consent: 'CPXxRfAPXxRfAAfKABENB-CgAAAAAAAAAAYgAAAAAAAA',
      eids: [{ source: 'id.example', uids: [{ id: 'E7kW2mP9xQ4vT1nB6rL3', atype: 1 }] }],
    },
    regs: { coppa: 0, gdpr: 1, us_privacy: '1YNN' },
    at: 1,
    tmax: 500,
    cur: ['USD'],
    bcat: ['IAB25', 'IAB26', 'IAB7-39', 'IAB8-18', 'IAB8-5', 'IAB9-9'],
    badv: ['competitor.example', 'rival.example'],
    source: { fd: 0, tid: '3e4f5a6b-1c2d-4e8f-9a0b-6f3e2c1a5b7d' },
    ext: { filler: '' },
  };
  document.ext.filler = 'x'.repeat(Math.max(0, REQUEST_BYTES - JSON.stringify(document).length));
  return Buffer.from(JSON.stringify(document));
}

/** Addresses and device ids have a fixed length, so that each can be overwritten in place. */
const ADDRESS = '91.100.100.100';
const DEVICE = '6f3e2c1a-5b7d-4e8f-9a0b-000000000000';

/**
 * Makes complete HTTP requests, each for one more auction with a new id, device and address, so that they do not count
 * as a flood.
 */
export function posted(path: string, asked: Buffer): () => Buffer {
  const text = asked.toString();
  const document = Buffer.from(
    text.replace(/"ip":"[^"]*"/, `"ip":"${ADDRESS}"`).replace(/"ifa":"[^"]*"/, `"ifa":"${DEVICE}"`),
  );
  const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${document.length}\r\n\r\n`;
  const whole = Buffer.concat([Buffer.from(head), document]);
  const idAt = head.length + ID_AT;
  const prefix = randomBytes(8).toString('hex');
  const addressAt = whole.indexOf(ADDRESS);
  const deviceAt = whole.indexOf(DEVICE);
  let number = 0;
  return () => {
    const copy = Buffer.from(whole);
    const id = prefix + (++number).toString(16).padStart(ID_LENGTH - prefix.length, '0');
    copy.write(id, idAt, ID_LENGTH, 'latin1');
    if (addressAt !== -1) copy.write(addressOf(number), addressAt, ADDRESS.length, 'latin1');
    if (deviceAt !== -1) copy.write(DEVICE.slice(0, -12) + id.slice(-12), deviceAt, DEVICE.length, 'latin1');
    return copy;
  };
}

/** One of about 3.8 million addresses. */
function addressOf(number: number): string {
  const part = (steps: number) => 100 + (Math.floor(number / 156 ** steps) % 156);
  return `91.${part(2)}.${part(1)}.${part(0)}`;
}

/**
 * Makes the responses of bidder `index`: complete HTTP responses to the request in `body`, whose first field is its id.
 */
export function bidderAnswers(index: number): (body: Buffer) => Buffer {
  const document = {
    id: '0'.repeat(ID_LENGTH),
    cur: 'USD',
    bidid: `response-${index}`,
    seatbid: [
      {
        seat: `seat-${index}`,
        bid: [
          {
            id: `bid-${index}`,
            impid: '1',
            price: bidOf(index),
            adm: '',
            adomain: ['advertiser.example'],
            cid: `campaign-${index}`,
            crid: `creative-${index}`,
            cat: ['IAB3'],
            attr: [2],
            w: 300,
            h: 250,
          },
        ],
      },
    ],
  };
  const opening = `<a href="https://advertiser.example/landing"><img src="https://cdn.example/${index}.jpg" alt="`;
  const bid = document.seatbid[0]!.bid[0]!;
  bid.adm = `${opening}"></a>`;
  const missing = Math.max(0, ANSWER_BYTES - JSON.stringify(document).length);
  bid.adm = `${opening}${'x'.repeat(missing)}"></a>`;
  const text = JSON.stringify(document);
  const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n`;
  const whole = Buffer.from(head + text);
  const idAt = head.length + ID_AT;
  return (body) => {
    const copy = Buffer.from(whole);
    body.copy(copy, idAt, ID_AT, ID_AT + ID_LENGTH);
    return copy;
  };
}

/** The id of a request that has it as the first field. */
export function idOf(document: Buffer): string {
  return document.toString('latin1', ID_AT, ID_AT + ID_LENGTH);
}

/** The CPM that bidder `index` bids; the last bidder wins. */
export function bidOf(index: number): number {
  return 1 + index / 10;
}
