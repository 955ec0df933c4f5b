import { ApiClient } from '../http/api-client.ts';
import { MEASURED_CORE } from '../processes/cores.ts';
import { startExchange } from '../processes/exchange.ts';
import { megabytes, millis, type Row } from '../row.ts';
import { percentile } from '../statistics.ts';
import { DAYS, DSPS, monthOfLedgers } from './month-of-ledgers.ts';

const PUBLISHERS = 4;
const READS = 100;
const TARGET_MS = 25;

/**
 * Measures a publisher's metrics with the breakdown of 50 DSPs, read from ledgers of days with sales in three regions
 * in every minute.
 */
export async function reportRows(): Promise<Row[]> {
  const { prepare, publishers, bytes } = monthOfLedgers(PUBLISHERS);
  const exchange = await startExchange(MEASURED_CORE, {}, prepare);
  const client = new ApiClient(exchange);
  const read = async (period: string): Promise<number[]> => {
    const tookMs: number[] = [];
    for (let time = 0; time < READS; time++) {
      const path = `/api/metrics/publisher/${publishers[time % PUBLISHERS]}?period=${period}`;
      const answer = await client.ask<{ dsp_breakdown: unknown[]; impressions: number }>('GET', path);
      if (answer.body.dsp_breakdown.length !== DSPS) throw new Error(`${answer.body.dsp_breakdown.length} DSPs`);
      tookMs.push(answer.tookMs);
    }
    return tookMs;
  };
  try {
    await read('30d');
    const rows: Row[] = [];
    for (const period of ['30d', '24h', '6h']) {
      const tookMs = await read(period);
      const p99 = percentile(tookMs, 0.99);
      const judged = period === '30d';
      rows.push({
        what: `metrics of a publisher over ${DSPS} DSPs, ${period}${judged ? ` (${DAYS} ledgers of ${megabytes(bytes)})` : ''}, p99`,
        figure: `${millis(p99)} (p50 ${millis(percentile(tookMs, 0.5))})`,
        floor: '',
        ratio: '',
        target: judged ? `≤ ${TARGET_MS} ms` : 'report',
        reached: judged ? p99 <= TARGET_MS : null,
      });
    }
    return rows;
  } finally {
    client.close();
    await exchange.stop();
  }
}
