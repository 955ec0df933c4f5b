import { expect } from 'chai';
import { Registry } from 'prom-client';
import { bidderCallMetrics, bidderMetrics } from '#composition/metrics/bidder-metrics';
import { dspLabels } from '#composition/metrics/bounded-names';
import type { BreakerState } from '#gateways/bidders/circuit-breaker';
import { makeDspProjection } from '../../support/dsp-projection.ts';

/** The lines of one metric. */
async function linesOf(registry: Registry, name: string): Promise<string[]> {
  const text = await registry.getSingleMetricAsString(name);
  return text.split('\n').filter((line) => !line.startsWith('#'));
}

const bidder = (id: string, state: BreakerState, openCalls: number) => ({
  dsp: makeDspProjection({ id, endpointUrl: null }),
  openCalls,
  breakerState: () => state,
});

describe('composition/metrics/bidder-metrics', () => {
  it('shows the breaker and the calls in flight of each bidder that has a name, and sums of the others', async () => {
    const registry = new Registry();
    const all = [bidder('a', 'open', 3), bidder('b', 'closed', 0), bidder('c', 'open', 1), bidder('d', 'half_open', 2)];
    bidderMetrics(registry, { all: () => all }, dspLabels(2));
    expect(await linesOf(registry, 'exchange_bidder_breaker_state')).to.have.members([
      'exchange_bidder_breaker_state{dsp="a",state="closed"} 0',
      'exchange_bidder_breaker_state{dsp="a",state="half_open"} 0',
      'exchange_bidder_breaker_state{dsp="a",state="open"} 1',
      'exchange_bidder_breaker_state{dsp="b",state="closed"} 1',
      'exchange_bidder_breaker_state{dsp="b",state="half_open"} 0',
      'exchange_bidder_breaker_state{dsp="b",state="open"} 0',
      'exchange_bidder_breaker_state{dsp="other",state="closed"} 0',
      'exchange_bidder_breaker_state{dsp="other",state="half_open"} 1',
      'exchange_bidder_breaker_state{dsp="other",state="open"} 1',
    ]);
    const inFlight = 'exchange_bidder_calls_in_flight';
    const wanted = [`${inFlight}{dsp="a"} 3`, `${inFlight}{dsp="b"} 0`, `${inFlight}{dsp="other"} 3`];
    expect(await linesOf(registry, inFlight)).to.have.members(wanted);
    all.splice(1);
    expect(await linesOf(registry, inFlight), 'bidders that are gone').to.deep.equal([`${inFlight}{dsp="a"} 3`]);
  });

  it('counts calls by outcome for all, and calls and seconds of each bidder that has a name', async () => {
    const registry = new Registry();
    const calls = bidderCallMetrics(registry, dspLabels(1));
    const [first, second, third] = ['a', 'b', 'c'].map((id) =>
      calls.begin(makeDspProjection({ id, endpointUrl: null })),
    );
    first!('answered', 20);
    first!('timeout', 100);
    second!('no_bid', 10);
    third!('failed', 30);
    expect(await linesOf(registry, 'exchange_dsp_calls_total')).to.have.members([
      'exchange_dsp_calls_total{dsp="a"} 2',
      'exchange_dsp_calls_total{dsp="other"} 2',
    ]);
    expect(await linesOf(registry, 'exchange_dsp_call_seconds_total')).to.have.members([
      'exchange_dsp_call_seconds_total{dsp="a"} 0.12',
      'exchange_dsp_call_seconds_total{dsp="other"} 0.04',
    ]);
    const counts = (await linesOf(registry, 'exchange_bidder_call_seconds')).filter((line) => line.includes('_count'));
    expect(counts).to.have.members(
      ['answered', 'no_bid', 'timeout', 'failed'].map(
        (end) => `exchange_bidder_call_seconds_count{outcome="${end}"} 1`,
      ),
    );
  });
});
