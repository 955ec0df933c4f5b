import type { SecurityRows } from '../attack.ts';

export const rows: SecurityRows = {
  attacks: [
    {
      by: 'bidder',
      attack:
        'sells a script at `/ad` that makes an API key, reads, sets cookies or opens a WebSocket as the operator who looks at it',
      outcome:
        'the ad is shown and billed, but its origin is none (`Content-Security-Policy: sandbox`): all eight ways are refused',
      file: 'specification/ad-origin.test.ts',
      title: 'gives a bidder’s script that is opened as a page nothing of a logged-in operator',
    },
    {
      by: "viewer's page",
      attack: 'on another port of the host of the API, calls it with the cookie of its viewer',
      outcome: 'origins are compared whole, and those of the edge and of creatives are never trusted: 403',
      file: 'gateways/management/identity/cross-site-requests.test.ts',
      title: 'lets WebSockets of whole trusted origins pass, and of no other port of our host',
    },
    {
      by: "viewer's page",
      attack: 'reads the viewer’s id from `/SYNC`, `/Sync/set` or another spelling of `/sync`',
      outcome: 'routes are case-sensitive, and CORS hangs on the routes of ads alone: 404, no CORS header',
      file: 'gateways/edge/http/cross-origin.test.ts',
      title: 'finds routes under their own paths alone, in their own case',
    },
    {
      by: 'co-located process',
      attack: 'reads dead letters, and bills one again, at the operations port',
      outcome: 'it has neither; an operator’s session does at the management API',
      file: 'gateways/operations.test.ts',
      title: 'neither shows dead letters nor replays one: only an operator may, at the management API',
    },
    {
      by: 'keyless caller',
      attack: 'calls the operations port over the network',
      outcome: 'it listens on 127.0.0.1 unless `OPS_HOST` says otherwise',
      file: 'composition/operations.test.ts',
      title: 'listens on 127.0.0.1 alone unless OPS_HOST says otherwise',
    },
  ],
};
