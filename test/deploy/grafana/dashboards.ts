import { type Dashboard, grafanaModel } from './dashboard.ts';
import { DEMAND } from './demand.ts';
import { EDGE } from './edge.ts';
import { MONEY } from './money.ts';
import { RUNTIME } from './runtime.ts';
import { STORES } from './stores.ts';

export const DASHBOARDS: readonly Dashboard[] = [EDGE, DEMAND, MONEY, RUNTIME, STORES];

/** The files of deploy/grafana/dashboards, by path. */
export function dashboardFiles(): ReadonlyMap<string, string> {
  return new Map(
    DASHBOARDS.map((dashboard) => [
      `deploy/grafana/dashboards/${dashboard.name}.json`,
      `${JSON.stringify(grafanaModel(dashboard), null, 2)}\n`,
    ]),
  );
}
