import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { parse } from 'yaml';
import { RULES_FILE } from '../../integrations/prometheus/rules.ts';

const PAGE = 'docs/operations/kubernetes.md';

describe('alerts on Kubernetes', () => {
  it('are all in the PrometheusRule that the command of the page makes', () => {
    const blocks = [...readFileSync(PAGE, 'utf8').matchAll(/^```\w*\n([\s\S]*?)^```$/gm)].map(([, text]) => text!);
    const [command, ...others] = blocks.filter((text) => text.includes('PrometheusRule'));
    expect(others).to.deep.equal([]);
    expect(command).to.match(/\| kubectl apply -f -\n$/);
    const printed = command!.replace(/kubectl apply -f -\n$/, 'cat');
    const { status, stdout, stderr } = spawnSync('bash', ['-euc', printed], { encoding: 'utf8' });
    expect(status, stderr).to.equal(0);
    expect(parse(stdout)).to.deep.equal({
      apiVersion: 'monitoring.coreos.com/v1',
      kind: 'PrometheusRule',
      metadata: { name: 'ad-exchange', namespace: 'exchange', labels: {} },
      spec: parse(readFileSync(RULES_FILE, 'utf8')),
    });
  });
});
