import type { ApiClient } from '../http/api-client.ts';
import { HttpConnection } from '../http/connection.ts';
import { trackingCalls } from '../impressions/tracking-calls.ts';
import type { ExchangeProcess } from '../processes/exchange.ts';

const BILLED_WITHIN_MS = 30_000;

/**
 * Sells one impression for each of these sources, then reads the account's metrics `times` times; answers each time in
 * ms.
 */
export async function readMetrics(
  exchange: ExchangeProcess,
  client: ApiClient,
  sources: readonly string[],
  times: number,
): Promise<number[]> {
  const pixels = await HttpConnection.open(exchange.edgePort);
  for (const id of sources) for (const call of trackingCalls(exchange, id, 1)) await pixels.ask(call);
  pixels.close();
  const read = () => client.ask<{ impressions: number }>('GET', '/api/metrics');
  const deadlineMs = performance.now() + BILLED_WITHIN_MS;
  for (let impressions = 0; impressions !== sources.length; ) {
    ({ impressions } = (await read()).body);
    if (performance.now() > deadlineMs) throw new Error(`${impressions} of ${sources.length} impressions were billed`);
  }
  const tookMs: number[] = [];
  for (let time = 0; time < times; time++) tookMs.push((await read()).tookMs);
  return tookMs;
}
