import Type from 'typebox';
import { Nullable } from '#actors/api-schemas';
import { defineRoute } from '../../routing/route.ts';

export const exchangeSettings = defineRoute({
  method: 'GET',
  path: '/api/exchange/settings',
  tag: 'Operators',
  operationId: 'getExchangeSettings',
  summary: 'Read the settings of the process that answers, as far as they concern the API',
  description:
    'They are set by environment variables where processes start, and changed there. No secret is among them.',
  access: 'operator',
  answer: {
    status: 200,
    schema: Type.Object({
      settings: Type.Array(
        Type.Object({
          name: Type.String({ description: 'Its environment variable.' }),
          value: Nullable(
            Type.String({ description: 'What holds now; null where nothing was set and nothing follows.' }),
          ),
          is_default: Type.Boolean({
            description: 'Whether its environment variable is not set, so that its default holds.',
          }),
          meaning: Type.String({ description: 'What it is for, in a sentence.' }),
        }),
        { description: 'The settings, by subject.' },
      ),
    }),
    headers: { 'Cache-Control': 'no-store' },
  },
  examples: {
    answer: {
      settings: [
        {
          name: 'CORS_ORIGINS',
          value: 'https://app.example',
          is_default: false,
          meaning: 'Other origins whose pages may call the API.',
        },
      ],
    },
  },
  async handle({ parts: { settings } }) {
    const shown: readonly (readonly [string, string | number | boolean | null, string])[] = [
      ['PUBLIC_BASE_URL', settings.publicBaseUrl, 'What browsers know the API by.'],
      ['PUBLIC_EDGE_URL', settings.publicEdgeUrl, 'What tags and tracking URLs begin with.'],
      [
        'REGION_URLS',
        settings.regionUrls.map(({ code, url }) => `${code}=${url}`).join(', '),
        'Where the edges of each region are.',
      ],
      ['PUBLIC_CREATIVES_URL', settings.publicCreativesUrl, 'What URLs of hosted creatives begin with.'],
      [
        'CORS_ORIGINS',
        settings.allowedOrigins.join(', ') || null,
        'Other origins whose pages may call the API with a session.',
      ],
      ['EXCHANGE_DOMAIN', settings.exchangeDomain, 'Its name in supply chains, ads.txt and sellers.json.'],
      ['REGION', settings.region, 'The region of this process.'],
      ['TRUST_PROXY_HOPS', settings.trustProxyHops, 'How many proxies of ours each request comes through.'],
      ['SESSION_LIFETIME_DAYS', settings.sessionLifetimeDays, 'A session ends so long after logging in, in days.'],
      ['ANONYMOUS_REQUESTS_PER_MINUTE', settings.anonymousRequestsPerMinute, 'Of one address without credentials.'],
      ['HTTPS_CREATIVES_ONLY', settings.httpsCreativesOnly, 'Whether creatives must be served over https.'],
      [
        'ALLOW_PRIVATE_NETWORKS',
        settings.allowPrivateNetworks,
        'Whether bidders and webhooks may be on private addresses.',
      ],
      ['SELLERS_CONTACT_EMAIL', settings.sellers.contactEmail, 'The contact in sellers.json.'],
      ['ACCESS_LOG', settings.accessLog, 'Whether each answer of the API has its line in the log.'],
      ['DASHBOARD', settings.dashboard ? 'on' : 'off', 'Whether browsers are shown the dashboard.'],
    ];
    return {
      settings: shown.map(([name, value, meaning]) => ({
        name,
        value: value === null ? null : String(value),
        is_default: !settings.given.has(name),
        meaning,
      })),
    };
  },
});
