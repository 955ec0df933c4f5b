import Type from 'typebox';
import { REGIONS } from '#exchange/region';
import { regionList } from '#gateways/http/region-list';
import { defineRoute } from '../../routing/route.ts';

export const regions = defineRoute({
  method: 'GET',
  path: '/api/regions',
  tag: 'Service',
  operationId: 'listRegions',
  summary: 'List the regions with edges, and where to measure how far each is',
  description:
    'Needs no credentials; every edge answers the same at this path, to pages of any origin. Call `ping_url` of each region a few times, not counting the first call, which opens the connection, and send ad requests to the `url` whose median is smallest. A region that does not answer is left out until it is measured again. The JS tag does all of this by itself.',
  access: 'public',
  answer: {
    status: 200,
    schema: Type.Object({
      region: Type.Enum([...REGIONS], { description: 'The region of the process that answers.' }),
      regions: Type.Array(
        Type.Object({
          code: Type.Enum([...REGIONS]),
          url: Type.String({ description: '{rtb_url} of its edges: what auctions, tags and tracking begin with.' }),
          ping_url: Type.String({ description: 'Answers 204 and nothing else: what a round trip is measured with.' }),
        }),
      ),
    }),
    headers: { 'Cache-Control': 'public, max-age=60' },
  },
  examples: {
    answer: {
      region: 'fra',
      regions: [
        { code: 'fra', url: 'https://fra.ads.example', ping_url: 'https://fra.ads.example/ping' },
        { code: 'nyc', url: 'https://nyc.ads.example', ping_url: 'https://nyc.ads.example/ping' },
      ],
    },
  },
  async handle({ parts: { settings } }) {
    const { regions } = regionList(settings.region, settings.regionUrls);
    return { region: settings.region, regions: [...regions] };
  },
});
