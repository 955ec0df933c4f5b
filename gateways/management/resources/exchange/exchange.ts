import Type from 'typebox';
import { REGIONS } from '#exchange/region';
import { defineRoute } from '../../routing/route.ts';

export const exchange = defineRoute({
  method: 'GET',
  path: '/api/exchange',
  tag: 'Service',
  operationId: 'getExchange',
  summary: 'Tell where the parts of this exchange are: the addresses of edges, creatives and live metrics',
  description: 'Needs no credentials: whoever knows this address finds the others.',
  access: 'public',
  answer: {
    status: 200,
    schema: Type.Object({
      domain: Type.String({ description: 'Its name in supply chains, ads.txt and sellers.json.' }),
      version: Type.String(),
      region: Type.Enum([...REGIONS], { description: 'The region of the process that answers.' }),
      regions: Type.Array(Type.Enum([...REGIONS])),
      base_url: Type.String({ description: '{base_url}: this API.' }),
      edge_url: Type.String({ description: '{rtb_url}: auctions, tags and tracking.' }),
      creatives_url: Type.String({ description: 'What URLs of hosted creatives begin with.' }),
      metrics_url: Type.String({ description: 'The WebSocket of the live metrics.' }),
      https_creatives_only: Type.Boolean({ description: 'Whether creatives must be served over https.' }),
    }),
    headers: { 'Cache-Control': 'public, max-age=60' },
  },
  examples: {
    answer: {
      domain: 'exchange.example',
      version: '0.4.0',
      region: 'fra',
      regions: [...REGIONS],
      base_url: 'https://api.exchange.example',
      edge_url: 'https://rtb.exchange.example',
      creatives_url: 'https://creatives.exchange.example',
      metrics_url: 'wss://api.exchange.example/ws/metrics',
      https_creatives_only: true,
    },
  },
  async handle({ parts: { settings } }) {
    const { publicBaseUrl, publicEdgeUrl, publicCreativesUrl } = settings;
    return {
      domain: settings.exchangeDomain,
      version: settings.version,
      region: settings.region,
      regions: [...REGIONS],
      base_url: publicBaseUrl,
      edge_url: publicEdgeUrl,
      creatives_url: publicCreativesUrl,
      metrics_url: `${publicBaseUrl.replace(/^http/, 'ws')}/ws/metrics`,
      https_creatives_only: settings.httpsCreativesOnly,
    };
  },
});
