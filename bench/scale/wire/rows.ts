import { adRequest, posted } from '../../auctions/documents.ts';
import { createMarket } from '../../auctions/market.ts';
import { HttpConnection } from '../../http/connection.ts';
import { trackingCalls } from '../../impressions/tracking-calls.ts';
import { startChild } from '../../processes/child.ts';
import { MEASURED_CORE, OTHER_CORE } from '../../processes/cores.ts';
import { startExchange } from '../../processes/exchange.ts';
import type { Row } from '../../row.ts';
import { reported } from '../units/rows.ts';
import { type CountingRelay, countingRelay } from './counting-relay.ts';

const BIDDERS = 5;
const AUCTIONS = 200;
const CALLS = 200;
/** New connections, and code that is compiled at first, may make bidders late. */
const WARM_UP = 50;

/** What one auction, one call of a bidder and one impression take on the wire, without TLS, TCP and IP. */
export async function wireRows(): Promise<Row[]> {
  const bidding = startChild<{ ports: number[]; requests: number }>(OTHER_CORE, 'auctions/bidders-process.js', {
    bidders: BIDDERS,
  });
  const relays: CountingRelay[] = [];
  const exchange = await startExchange(MEASURED_CORE, {});
  try {
    const { ports } = await bidding.next();
    for (const port of ports) relays.push(await countingRelay(port));
    const bidderPorts = relays.map(({ port }) => port);
    const publisherId = await createMarket(exchange, 'Wire', bidderPorts);
    const edge = await countingRelay(exchange.edgePort);
    relays.push(edge);
    const connection = await HttpConnection.open(edge.port);
    const next = posted('/rtb', adRequest(publisherId));
    const requests = async () => {
      bidding.send({});
      return (await bidding.next()).requests;
    };
    for (let auction = 0; auction < WARM_UP; auction++) await connection.ask(next());
    const bidders = relays.slice(0, BIDDERS);
    const before = { called: await requests(), edge: { ...edge.counted }, bidders: summed(bidders) };
    for (let auction = 0; auction < AUCTIONS; auction++) await connection.ask(next());
    const called = (await requests()) - before.called;
    const auctions = { ...edge.counted };
    const calls = summed(bidders);
    for (const call of trackingCalls(exchange, publisherId, CALLS)) await connection.ask(call);
    connection.close();
    return [
      reported('bytes of an auction, publisher and exchange', shown(before.edge, auctions, AUCTIONS)),
      reported(
        `bytes of a call of one of ${BIDDERS} bidders (${(called / AUCTIONS).toFixed(2)} called in an auction)`,
        shown(before.bidders, calls, called),
      ),
      reported('bytes of an impression, viewer and exchange', shown(auctions, edge.counted, CALLS)),
    ];
  } finally {
    for (const relay of relays) relay.close();
    await exchange.stop();
    await bidding.stop();
  }
}

function summed(relays: readonly CountingRelay[]): CountingRelay['counted'] {
  const sum = { asked: 0, answered: 0 };
  for (const { counted } of relays) {
    sum.asked += counted.asked;
    sum.answered += counted.answered;
  }
  return sum;
}

function shown(before: CountingRelay['counted'], after: CountingRelay['counted'], times: number): string {
  const each = (name: 'asked' | 'answered') => Math.round((after[name] - before[name]) / times).toLocaleString('en-US');
  return `${each('asked')} asked, ${each('answered')} answered`;
}
