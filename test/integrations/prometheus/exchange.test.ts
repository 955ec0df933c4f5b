import { expect } from 'chai';
import { DASHBOARDS } from '../../deploy/grafana/dashboards.ts';
import { declaredMetrics, OF_SUPERVISORS } from '../../documentation/metrics-page.ts';
import { metricsIn } from '../../support/metrics-text.ts';
import { PrometheusServer } from './prometheus-server.ts';
import { askedFor } from './promql.ts';
import { promtool, requirePrometheus } from './promtool.ts';
import { alertRules } from './rules.ts';
import { WholeExchange } from './whole-exchange.ts';

/** What Prometheus itself adds: the series of a scrape, and the labels of a target. */
/** Of Prometheus, or of all metrics: below a supervisor each series has the name of its process. */
const OF_PROMETHEUS = { metrics: ['up'], labels: ['job', 'instance', 'le', 'process'] };
/** What a series of these names is part of. */
const PARTS = /_(bucket|sum|count)$/;

interface Expression {
  readonly where: string;
  readonly expr: string;
}

/** Every expression of the dashboards, as Grafana sends it with all processes chosen, and of the alerts. */
async function expressions(): Promise<Expression[]> {
  const ofDashboards = DASHBOARDS.flatMap(({ name, rows }) =>
    rows.flatMap(({ panels }) =>
      panels.flatMap(({ title, series }) =>
        series.map(([expr]) => ({
          where: `${name}: ${title}`,
          expr: expr.replaceAll('$__rate_interval', '1m').replaceAll('$instance', '.*'),
        })),
      ),
    ),
  );
  return [...ofDashboards, ...(await alertRules()).map(({ alert, expr }) => ({ where: alert, expr }))];
}

describe('Prometheus beside a running exchange', () => {
  let exchange: WholeExchange;
  let prometheus: PrometheusServer;
  let texts: ReadonlyMap<string, string>;
  before(async function () {
    requirePrometheus(this);
    exchange = await WholeExchange.start();
    await exchange.trade();
    prometheus = await PrometheusServer.start([...exchange.opsPorts.values()].map((port) => `127.0.0.1:${port}`));
    await exchange.trade();
    texts = await exchange.metrics();
  });
  after(async () => {
    await prometheus?.remove();
    await exchange?.remove();
  });

  it('finds nothing to say of what any role serves (promtool check metrics)', async () => {
    for (const [roles, text] of texts) {
      const { code, said } = await promtool(['check', 'metrics'], text);
      expect(said, roles).to.equal('');
      expect(code, roles).to.equal(0);
    }
  });

  it('is served what docs/metrics.md has for the roles of each process, and together all of it', async () => {
    const declared = new Map([...(await declaredMetrics())].filter(([title]) => title !== OF_SUPERVISORS));
    const all = new Map([...declared.values()].flat().map((metric) => [metric.name, metric]));
    const together = new Set<string>();
    for (const [roles, text] of texts) {
      const expected = [...declared].flatMap(([title, metrics]) => {
        const [, role] = /`(\w+)`/.exec(title) ?? [];
        return role === undefined || roles === 'all' || roles.split(',').includes(role) ? metrics : [];
      });
      const served = metricsIn(text);
      expect([...served.keys()], roles).to.have.members(expected.map(({ name }) => name));
      for (const [name, { labels }] of served) {
        together.add(name);
        expect(all.get(name)!.labels, name).to.include.members(labels);
      }
    }
    expect([...together]).to.have.members([...all.keys()]);
  });

  it('has every metric and every label that a dashboard or an alert names', async () => {
    const bySection = await declaredMetrics();
    const declared = new Map([...bySection.values()].flat().map((metric) => [metric.name, metric]));
    const served = new Set([...texts.values()].flatMap((text) => [...metricsIn(text).keys()]));
    // No process here has a supervisor; edge-workers.test.ts asks one for these.
    for (const { name } of bySection.get(OF_SUPERVISORS)!) served.add(name);
    const named = new Set<string>();
    for (const { where, expr } of await expressions()) {
      const { metrics, labels } = askedFor(expr);
      expect(metrics.size, where).to.be.above(0);
      const known = new Set(OF_PROMETHEUS.labels);
      for (const part of metrics) {
        if (OF_PROMETHEUS.metrics.includes(part)) continue;
        const name = served.has(part) ? part : part.replace(PARTS, '');
        expect(served, `${part} in ${where}`).to.include(name);
        if (name !== part) expect(declared.get(name)!.type, `${part} in ${where}`).to.equal('histogram');
        for (const label of declared.get(name)!.labels) known.add(label);
        named.add(name);
      }
      for (const label of labels) expect(known, `${label} in ${where}`).to.include(label);
    }
    expect(named.size).to.be.above(70);
  });

  it('evaluates every expression', async () => {
    let withSamples = 0;
    const all = await expressions();
    for (const { expr } of all) if ((await prometheus.query(expr)).length > 0) withSamples++;
    // Nobody loses, spools or times out here, and nothing is live: the others have something to show.
    expect(withSamples).to.be.above(all.length / 3);
    expect(await prometheus.failedScrapes()).to.deep.equal([]);
  });

  it('has evaluated every alert, of which none fires', async () => {
    const rules = await prometheus.rules();
    expect(rules.map(({ name }) => name)).to.have.members((await alertRules()).map(({ alert }) => alert));
    for (const { name, health, lastError } of rules) expect({ health, lastError }, name).to.include({ health: 'ok' });
    const firing = await prometheus.query('ALERTS{alertstate="firing"}');
    expect(firing.map(({ metric }) => metric.alertname)).to.deep.equal([]);
  });

  it('keeps the job’s name of a target apart from the jobs of the schedule', async () => {
    const [audit] = await prometheus.query('scheduler_job_due_timestamp_seconds{job_name="audit"}');
    expect(audit?.metric).to.include({ job: 'exchange', job_name: 'audit' }).and.not.have.property('exported_job');
  });
});
