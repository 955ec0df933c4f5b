import { expect } from 'chai';
import { mergeMetrics } from '#composition/supervisor/merge-metrics';

const text = (process: string, requests: number, own = '') =>
  [
    '# HELP requests_total Requests',
    '# TYPE requests_total counter',
    `requests_total{kind="a # HELP b",process="${process}"} ${requests}`,
    '',
    own,
  ].join('\n');

describe('metrics of several processes', () => {
  it('have each heading once, with the samples of all below it', () => {
    expect(mergeMetrics([text('edge-1', 1), text('edge-2', 2)])).to.equal(
      [
        '# HELP requests_total Requests',
        '# TYPE requests_total counter',
        'requests_total{kind="a # HELP b",process="edge-1"} 1',
        'requests_total{kind="a # HELP b",process="edge-2"} 2',
        '',
      ].join('\n'),
    );
  });

  it('keep what only one of them has', () => {
    const own = '# HELP leader Leader\n# TYPE leader gauge\nleader{process="others"} 1\n';
    const merged = mergeMetrics(['', text('others', 0, own), text('edge-1', 3)]);
    expect(merged.match(/^# HELP/gm)).to.have.lengthOf(2);
    expect(merged)
      .to.include('leader{process="others"} 1\n')
      .and.to.include('requests_total{kind="a # HELP b",process="edge-1"} 3');
  });
});
