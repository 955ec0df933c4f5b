import { expect } from 'chai';
import { GatheredMetrics } from '#composition/supervisor/gathered-metrics';

describe('the metrics of the processes of a supervisor', () => {
  const process = (name: string, answer: (() => Promise<string>) | null) => ({
    name,
    serving: answer && { ask: answer },
  });

  it('say of each process whether its metrics are there', async () => {
    const text = await new GatheredMetrics().of([
      process('others', () => Promise.reject(new Error('does not answer'))),
      process('edge-1', async () => '# HELP a_total A\n# TYPE a_total counter\na_total{process="edge-1"} 7\n'),
      process('edge-2', null),
    ]);
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('# HELP'));
    expect(lines).to.deep.equal([
      '# TYPE exchange_process_up gauge',
      'exchange_process_up{process="others"} 0',
      'exchange_process_up{process="edge-1"} 1',
      'exchange_process_up{process="edge-2"} 0',
      '# TYPE a_total counter',
      'a_total{process="edge-1"} 7',
    ]);
  });
});
