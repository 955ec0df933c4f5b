import { rowsShownIn, type Section } from '../row.ts';

export const authentication: Section = {
  title: 'Authentication',
  rows: [
    ...rowsShownIn('authentication.test.ts', {
      'auth.api-key': '`X-API-Key` authenticates machine-to-machine calls.',
      'auth.401.missing': 'A missing key is 401 UNAUTHORIZED.',
      'auth.401.invalid': 'An invalid key is 401 UNAUTHORIZED.',
      'auth.401.every-endpoint': 'Every other endpoint of the management API answers 401 without a key or a session.',
      'auth.public.health': '`GET /api/health` needs no key.',
      'auth.public.sellers': '`GET /sellers.json` needs no key.',
      'auth.public.pixel': 'The tracking pixel needs no key.',
      'auth.public.invalid-key': 'Health, sellers.json and the pixel do not refuse an invalid key.',
      'auth.bearer': 'A key is taken as `Authorization: Bearer` wherever `X-API-Key` is.',
      'auth.401.challenge': '401 names both ways in `WWW-Authenticate`.',
      'auth.partner.aggregates':
        'Without `X-User-Partner-ID` lists hold the sources of all partners; with it they narrow.',
      'auth.partner.owns': 'Supply and demand sources created with it belong to the partner.',
      'auth.partner.foreign': 'An `X-User-Partner-ID` that names no partner is 403 FORBIDDEN.',
    }),
    ...rowsShownIn('credentials.test.ts', {
      'auth.api-key.live': 'Production keys, as they are made, begin with `pk_live_`.',
      'auth.api-key.sandbox': 'Sandbox keys, as they are made, begin with `pk_sandbox_`.',
      'auth.keys.create': 'Keys are created by a session (`POST /api/keys`) and shown once.',
      'auth.keys.rotate': 'Keys are rotated; the old one ends after the overlap.',
      'auth.keys.revoke': 'A revoked key is 401.',
      'auth.source-key.pub': 'A publisher’s source key has the form `pub_<timestamp>_<hash>`.',
      'auth.source-key.dsp': 'A demand source’s key has the form `dsp_<timestamp>_<hash>`.',
      'auth.source-key.shown': 'A source’s settings show its key to a session.',
      'auth.source-key.scope': 'Source keys reach only their source’s data on the source-level endpoints.',
      'auth.source-key.regenerate': 'A regenerated source key replaces the old one.',
      'auth.session.cookie': 'The dashboard has cookie sessions, httpOnly and SameSite.',
      'auth.session.login': '`POST /api/auth/login` answers `{user}` and the cookie.',
      'auth.session.24h':
        'A session ends after 24 hours of inactivity: shown of sessions whose last use is set a day back.',
      'auth.partner.required': 'Without `X-User-Partner-ID` an endpoint that needs it is 403 FORBIDDEN.',
    }),
    ...rowsShownIn('cross-origin.test.ts', {
      'auth.cors.own':
        'CORS is supported for origins on the service’s own domain, once it is set; a session is for its own origin alone.',
      'auth.cors.allowlist': 'Other origins need an allowlist entry.',
    }),
    ...rowsShownIn('dashboard.test.ts', {
      'auth.keys.dashboard': 'Keys are made and rotated in the dashboard (Settings, API Keys).',
      'auth.source-key.dashboard': 'A source’s settings in the dashboard show and regenerate its key.',
      'auth.session.dashboard': 'The browser sends the session by itself.',
    }),
    ...rowsShownIn('metrics-push.test.ts', {
      'auth.websocket': 'The WebSocket takes `Authorization: Bearer <API_KEY>`.',
    }),
  ],
};
