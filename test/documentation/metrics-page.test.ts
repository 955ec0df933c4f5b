import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { LABELS, RENAMED } from './metrics-notes.ts';
import { declaredMetrics, metricsPage } from './metrics-page.ts';

describe('the documentation of metrics', () => {
  it('is what the declarations say: `npm run reference` writes it anew', async () => {
    expect(await readFile('docs/metrics.md', 'utf8')).to.equal(await metricsPage());
  });

  it('names each metric once, as Prometheus has it, and says what it means', async () => {
    const all = [...(await declaredMetrics()).values()].flat();
    expect(new Set(all.map(({ name }) => name)).size).to.equal(all.length);
    for (const { name, type, help } of all) {
      expect(name.endsWith('_total'), `${name} is a ${type}`).to.equal(type === 'counter');
      if (type === 'histogram' && name !== 'actor_batch_size') expect(name).to.match(/_seconds$/);
      expect(help, name).to.match(/\S/);
    }
  });

  it('says of each label what it holds, and of none that is not there', async () => {
    const labels = new Set([...(await declaredMetrics()).values()].flat().flatMap((metric) => metric.labels));
    expect(LABELS.map(({ label }) => label)).to.have.members([...labels]);
  });

  it('names what takes the place of each metric that was renamed, by names that exist', async () => {
    const names = new Set([...(await declaredMetrics()).values()].flat().map(({ name }) => name));
    for (const [before, after] of RENAMED) {
      const [known] = after.match(/(exchange|nodejs|scheduler)_\w+/)!;
      if (known !== before.split('{', 1)[0]) expect(names, before).to.not.include(before.split('{', 1)[0]);
      expect(names, after).to.include(known);
    }
  });
});
