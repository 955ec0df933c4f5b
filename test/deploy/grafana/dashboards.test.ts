import { readdir, readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { parse } from 'yaml';
import { DASHBOARDS, dashboardFiles } from './dashboards.ts';

const FOLDER = 'deploy/grafana/dashboards';

describe('the dashboards for Grafana', () => {
  it('are what their descriptions say: `npm run reference` writes them anew', async () => {
    const files = dashboardFiles();
    expect((await readdir(FOLDER)).map((name) => `${FOLDER}/${name}`)).to.have.members([...files.keys()]);
    for (const [path, text] of files) expect(await readFile(path, 'utf8'), path).to.equal(text);
  });

  it('have a title, a description and a unit for every panel, and one place for each', async () => {
    for (const [path, text] of dashboardFiles()) {
      const { panels } = JSON.parse(text);
      const ids = panels.map(({ id }: { id: number }) => id);
      expect(new Set(ids).size, path).to.equal(ids.length);
      const taken = new Set<string>();
      for (const { type, title, description, fieldConfig, datasource, targets, gridPos } of panels) {
        for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
          for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
            expect(taken, `${title} at ${x},${y}`).to.not.include(`${x},${y}`);
            expect(x).to.be.below(24);
            taken.add(`${x},${y}`);
          }
        if (type === 'row') continue;
        expect(title, path).to.match(/\S/);
        expect(description, title).to.match(/\.$/);
        expect(fieldConfig.defaults.unit, title).to.match(/^\w+$/);
        expect(datasource.uid, title).to.equal(`\${datasource}`);
        for (const target of targets) expect(target.legendFormat, title).to.match(/\S/);
      }
    }
  });

  it('name alerts that exist', async () => {
    const { groups } = parse(await readFile('deploy/prometheus/alerts.yml', 'utf8'));
    const alerts = groups.flatMap(({ rules }: { rules: { alert: string }[] }) => rules.map(({ alert }) => alert));
    const named = DASHBOARDS.flatMap(({ rows }) => rows.flatMap(({ panels }) => panels)).flatMap(({ description }) =>
      [...description.matchAll(/Alert: (\w+)/g)].map(([, alert]) => alert),
    );
    expect(named.length).to.be.above(10);
    for (const alert of named) expect(alerts).to.include(alert);
  });
});
