import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { stringify } from 'yaml';
import { ALERT_CASES, type AlertCase } from './alert-cases.ts';
import { promtool, requirePrometheus } from './promtool.ts';
import { type AlertRule, alertRules, RULES_FILE } from './rules.ts';

/**
 * The tests of promtool that a case is: one of the course in which the alert fires, one of that in which it does not.
 */
function promtoolTests({ alert, fires, labels = {}, at, notYetAt, quiet }: AlertCase, { labels: own }: AlertRule) {
  const firing = `ALERTS{alertname="${alert}", alertstate="firing"}`;
  const all = { alertname: alert, alertstate: 'firing', ...own, ...labels };
  const written = Object.entries(all).map(([name, value]) => `${name}="${value}"`);
  const expected = [{ labels: `ALERTS{${written.join(', ')}}`, value: 1 }];
  const test = (samples: AlertCase['fires'], looks: readonly object[]) => ({
    interval: '1m',
    input_series: Object.entries(samples).map(([series, values]) => ({ series, values })),
    promql_expr_test: looks,
  });
  return [
    test(fires, [
      ...(notYetAt === undefined ? [] : [{ expr: firing, eval_time: notYetAt, exp_samples: [] }]),
      { expr: firing, eval_time: at, exp_samples: expected },
    ]),
    // At all of the minutes by which it fired in the other course, and later.
    test(
      quiet,
      [notYetAt ?? at, at].map((time) => ({ expr: firing, eval_time: time, exp_samples: [] })),
    ),
  ];
}

describe('the alert rules', () => {
  let rules: AlertRule[];
  before(async function () {
    requirePrometheus(this);
    rules = await alertRules();
  });

  it('are rules to promtool, and its configuration is one to Prometheus', async () => {
    const { code, said } = await promtool(['check', 'config', 'deploy/prometheus/prometheus.yml']);
    expect(code, said).to.equal(0);
    expect(said).to.contain(`${rules.length} rules found`);
  });

  it('have a severity, a summary, a description and a page each', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).to.equal(rules.length);
    for (const { alert, labels, annotations } of rules) {
      expect(labels.severity, alert).to.be.oneOf(['critical', 'warning']);
      expect(annotations.runbook_url).to.equal(`docs/runbook/${alert}.md`);
      expect(annotations.summary, alert).to.match(/\S/);
      expect(annotations.description, alert).to.match(/\.$/);
    }
  });

  it('fire when they should, not before, and not otherwise', async () => {
    expect([...new Set(ALERT_CASES.map(({ alert }) => alert))]).to.have.members(rules.map(({ alert }) => alert));
    const folder = await mkdtemp(join(tmpdir(), 'alerts-'));
    try {
      const byName = new Map(rules.map((rule) => [rule.alert, rule]));
      const tests = ALERT_CASES.flatMap((one) => promtoolTests(one, byName.get(one.alert)!));
      const file = join(folder, 'alerts.test.yml');
      const suite = { rule_files: [resolve(RULES_FILE)], evaluation_interval: '1m', tests };
      await writeFile(file, stringify(suite));
      const { code, said } = await promtool(['test', 'rules', file]);
      expect(code, said).to.equal(0);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
