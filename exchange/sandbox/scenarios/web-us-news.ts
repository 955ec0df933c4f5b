import { scenarioAuctionFields } from '../auction-fields.ts';
import type { Scenario, ScenarioInputs } from '../scenario.ts';
import { directSupplyChain } from '../supply-chain.ts';

/** A rectangle beside an article on a desktop in New York, where a state's privacy law applies. */
export const webUsNews: Scenario = {
  publisherType: 'web',
  summary: 'News on the web in the United States, with US privacy strings: a banner, floor 0.50',
  request: ({ newId, publisherId, domain }: ScenarioInputs) => {
    const request = {
      id: newId(),
      ...scenarioAuctionFields,
      imp: [
        {
          id: '1',
          tagid: 'article-rectangle',
          secure: 1,
          bidfloor: 0.5,
          bidfloorcur: 'USD',
          banner: {
            w: 300,
            h: 250,
            format: [
              { w: 300, h: 250 },
              { w: 300, h: 600 },
            ],
            pos: 1,
            battr: [1, 2, 3, 8, 9, 10],
            topframe: 0,
          },
        },
      ],
      site: {
        id: publisherId,
        name: 'Sandbox Times',
        domain,
        page: `https://${domain}/world/a-quiet-day-in-the-markets`,
        ref: 'https://search.example/',
        cat: ['IAB12'],
        sectioncat: ['IAB12-2'],
        mobile: 0,
        privacypolicy: 1,
        publisher: { id: publisherId, name: 'Sandbox Times', domain },
        content: {
          id: 'article-5521',
          title: 'A quiet day in the markets',
          genre: 'news',
          cat: ['IAB12-2'],
          context: 5,
          language: 'en',
          livestream: 0,
        },
      },
      device: {
        ua: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36',
        ip: '203.0.113.91',
        devicetype: 2,
        os: 'Windows',
        osv: '10.0',
        w: 1920,
        h: 1080,
        js: 1,
        language: 'en',
        connectiontype: 2,
        dnt: 0,
        geo: {
          country: 'USA',
          region: 'NY',
          metro: '501',
          city: 'New York',
          zip: '10001',
          lat: 40.75,
          lon: -74,
          type: 2,
          utcoffset: -300,
        },
      },
      user: { id: newId() },
      source: { fd: 0, tid: newId(), ext: { schain: directSupplyChain(publisherId) } },
      regs: { coppa: 0, ext: { gdpr: 0, us_privacy: '1YNN', gpp: 'DBABLA~BVQqAAAAAgA.QA', gpp_sid: [7] } },
    } as const;
    return request;
  },
};
