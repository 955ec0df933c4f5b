import { type CallerOptions, withClient } from '../api/connect.ts';
import { CommandFailed, EXIT, type Run } from '../definition.ts';
import { fieldsOf } from '../table.ts';
import { makeMarket } from './make-market.ts';
import { sendTraffic, type TrafficCounts } from './traffic.ts';

interface Options extends CallerOptions {
  readonly rate: number;
  readonly seconds: number;
  readonly traffic: boolean;
  readonly edgeUrl?: string;
}

const HIGHEST_RATE = 1_000;
const TELL_EVERY_MS = 5_000;

export const run: Run<Options> = async ({ options, tell }) => {
  const { rate, seconds, traffic, edgeUrl } = options;
  if (!(rate > 0 && rate <= HIGHEST_RATE)) throw new CommandFailed(`--rate is above 0 and at most ${HIGHEST_RATE}.`);
  if (seconds < 0) throw new CommandFailed('--seconds is not below 0.');
  const caller = { ...options, sandbox: true };
  const { market, exchange } = await withClient(caller, async (client) => ({
    market: await makeMarket(client),
    exchange: (await client.get('/api/exchange')).data,
  }));
  tell(market.made.length === 0 ? 'The market is there.' : `Made: ${market.made.join(', ')}.`);
  const shown = { made: market.made, publishers: market.publishers.map(({ id }) => id) };
  if (!traffic) return { json: { ...shown, traffic: null }, text: '' };

  const counts: TrafficCounts = { requests: 0, sold: 0, rendered: 0, viewed: 0, failed: 0, usd: 0 };
  const ended = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ended.abort());
  if (seconds > 0) setTimeout(() => ended.abort(), seconds * 1_000).unref();
  const telling = setInterval(() => tell(lineOf(counts)), TELL_EVERY_MS);
  const { publishers } = market;
  await sendTraffic({ edgeUrl: edgeUrl ?? exchange.edge_url, publishers, rate, signal: ended.signal }, counts);
  clearInterval(telling);
  const usd = Number(counts.usd.toFixed(6));
  if (counts.requests > 0 && counts.failed === counts.requests)
    throw new CommandFailed(`${edgeUrl ?? exchange.edge_url} answers no ad request.`, EXIT.unavailable, 'UNREACHABLE');
  return {
    json: { ...shown, traffic: { ...counts, usd } },
    text: `${fieldsOf({ ...counts, usd })}\nLook at it: ${exchange.base_url}, or exchange auctions why --sandbox\n`,
  };
};

function lineOf({ requests, sold, rendered, viewed, failed, usd }: TrafficCounts): string {
  const failures = failed === 0 ? '' : `, ${failed} failed`;
  return `${requests} requests, ${sold} sold, ${rendered} rendered, ${viewed} viewed, ${usd.toFixed(4)} USD${failures}`;
}
