import { scenarioAuctionFields } from '../auction-fields.ts';
import type { Scenario, ScenarioInputs } from '../scenario.ts';
import { directSupplyChain } from '../supply-chain.ts';

/** A well-formed TCF v2 string of no real user, which consents to nothing in particular. */
const CONSENT = 'CPXxRfAPXxRfAAfKABENB-CgAAAAAAAAAAYgAAAAAAAA';

/** A banner below the live scores on a phone in London, where a user's consent counts. */
export const mobileUkSport: Scenario = {
  publisherType: 'mobile',
  summary: 'Sport in a mobile app in the United Kingdom, with GDPR consent: a banner, floor 1.00',
  request: ({ newId, publisherId, domain }: ScenarioInputs) => {
    const request = {
      id: newId(),
      ...scenarioAuctionFields,
      imp: [
        {
          id: '1',
          tagid: 'below-scores',
          displaymanager: 'sandbox-sdk',
          displaymanagerver: '4.0.1',
          instl: 0,
          secure: 1,
          bidfloor: 1,
          bidfloorcur: 'USD',
          banner: {
            w: 320,
            h: 50,
            format: [
              { w: 320, h: 50 },
              { w: 300, h: 250 },
            ],
            pos: 1,
            battr: [1, 2, 3, 8, 9, 10],
            mimes: ['image/gif', 'image/jpeg', 'image/png', 'text/html'],
            topframe: 1,
            api: [3, 5, 6],
          },
        },
      ],
      app: {
        id: publisherId,
        name: 'Sandbox Scores',
        bundle: domain,
        domain: 'scores.sandbox.example',
        storeurl: `https://store.sandbox.example/apps/${domain}`,
        ver: '3.8.2',
        cat: ['IAB17'],
        privacypolicy: 1,
        publisher: { id: publisherId, name: 'Sandbox Scores', domain: 'scores.sandbox.example' },
        content: {
          id: 'match-8812',
          title: 'Saturday fixtures',
          genre: 'sport',
          cat: ['IAB17-44'],
          context: 5,
          livestream: 1,
          language: 'en',
        },
      },
      device: {
        ua: 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
        ip: '203.0.113.58',
        devicetype: 4,
        make: 'Apple',
        model: 'iPhone15,3',
        os: 'iOS',
        osv: '17.4',
        w: 1290,
        h: 2796,
        pxratio: 3,
        js: 1,
        language: 'en',
        carrier: 'Sandbox Mobile',
        connectiontype: 6,
        dnt: 0,
        lmt: 0,
        ifa: newId(),
        geo: {
          country: 'GBR',
          region: 'ENG',
          city: 'London',
          zip: 'SW1A',
          lat: 51.5,
          lon: -0.13,
          type: 2,
          utcoffset: 0,
        },
      },
      user: { id: newId(), ext: { consent: CONSENT } },
      source: { fd: 0, tid: newId(), ext: { schain: directSupplyChain(publisherId) } },
      regs: { coppa: 0, ext: { gdpr: 1 } },
    } as const;
    return request;
  },
};
