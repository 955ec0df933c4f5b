import type { SecurityRows } from '../attack.ts';

const BODIES = 'gateways/edge/slow-bodies.test.ts';
const CONNECTIONS = 'gateways/http/connection-limits.test.ts';

export const rows: SecurityRows = {
  attacks: [
    {
      by: 'keyless caller',
      attack: 'opens 2,100 bid requests and sends no body',
      outcome: 'none takes a place for auctions; each ends with 408 after 2 s; every honest request is answered',
      file: BODIES,
      title: 'answers every honest request while 2,100 callers send no body',
    },
    {
      by: 'keyless caller',
      attack: 'opens more slow bodies than an edge reads at once',
      outcome: 'beyond 10,000 bodies or 64 MB of them the oldest is given up, never the newest',
      file: BODIES,
      title: 'gives up the oldest body and not the newest when more come than it reads at once',
    },
    {
      by: 'keyless caller',
      attack: 'sends megabyte-sized bid requests to fill the memory of auctions under way',
      outcome: 'bodies over 64 KB share 16 MB; beyond, they alone are answered 503',
      file: 'gateways/edge/http/auction-admission.test.ts',
      title: 'turns large bodies away beside auctions that hold 16 MB of them, and takes small ones',
    },
    {
      by: 'keyless caller',
      attack: 'sends more ad requests than an edge can serve, so that everybody is answered too late',
      outcome: 'turns of the event loop are bounded; the surplus is answered 503 unread, tracking calls are served',
      file: 'gateways/edge/http/shed-overload.test.ts',
      title: 'refuses what comes in a turn that takes too long, and serves again when it has ended',
    },
    {
      by: 'keyless caller',
      attack: 'asks for long answers and never reads them',
      outcome: 'cut off after 30 s without 4 KB taken; the longest stalled at once when all hold more than 64 MB',
      file: CONNECTIONS,
      title: 'that have taken nothing for longest are cut off when answers that wait take more than their share',
    },
    {
      by: 'keyless caller',
      attack: 'pipelines 1,000 requests on one connection',
      outcome: 'one is served and 16 wait; the connection ends with the next',
      file: CONNECTIONS,
      title: 'end when more than 16 requests wait on one of them, and none beyond is served',
    },
    {
      by: 'keyless caller',
      attack: 'pipelines a request for a WebSocket behind another one, whose response still has the socket',
      outcome: 'the connection ends; others are served',
      file: 'gateways/http/upgrades.test.ts',
      title: 'ends the connection of a request that does not wait for the answer before it, and serves others',
    },
  ],
  budgets: [
    {
      of: 'request',
      resource: 'sockets',
      bound: 'a head within 10 s on both ports; the body of a bid request within 2 s, 408 then',
      file: BODIES,
      title: 'answers 408 and ends the connection when a body has not come within 2 seconds',
    },
    {
      of: 'exchange',
      resource: 'memory',
      bound: 'at each edge 10,000 bodies being read and 64 MB of them',
      file: BODIES,
      title: 'gives up the oldest body when all of them take more bytes than they may',
    },
    {
      of: 'caller',
      resource: 'sockets',
      bound:
        '1,000 connections of one public address (IPv6: a /64) to each port (`MAX_SOCKETS_PER_ADDRESS`); inside addresses and trusted proxies any number',
      file: CONNECTIONS,
      title: 'are bounded for each address, idle ones counted, and free again when one ends',
    },
    {
      of: 'caller',
      resource: 'sockets',
      bound: 'an answer of which less than 4 KB is taken in 30 s ends its connection',
      file: CONNECTIONS,
      title: 'are cut off when a caller takes nothing of its answer for 30 seconds',
    },
  ],
};
