/** One panel: what it shows in words, in which unit, and the expressions that it is made of. */
export interface Panel {
  readonly title: string;
  readonly description: string;
  /** A unit of Grafana: `reqps`, `s`, `percentunit`, `bytes`, `short`, `currencyUSD`. */
  readonly unit: string;
  /** PromQL, with the legend of its series. */
  readonly series: readonly (readonly [expr: string, legend: string])[];
  /** A single figure in place of a course. */
  readonly isFigure?: true;
  /** Draws one on top of the other, for parts of a whole. */
  readonly isStacked?: true;
}

export interface Row {
  readonly title: string;
  readonly panels: readonly Panel[];
}

export interface Dashboard {
  /** The name of its file, and of its address in Grafana. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly rows: readonly Row[];
}

/** The processes that are chosen at the top of a dashboard; within braces. */
export const CHOSEN = 'instance=~"$instance"';

/** The rate of a counter, by labels or in all. */
export function rate(counter: string, by: readonly string[] = [], where = ''): string {
  const selector = `${counter}{${[CHOSEN, where].filter((part) => part !== '').join(', ')}}`;
  return `${by.length === 0 ? 'sum' : `sum by (${by.join(', ')})`} (rate(${selector}[$__rate_interval]))`;
}

/** A quantile of a histogram, by labels or in all. */
export function quantile(of: number, histogram: string, by: readonly string[] = [], where = ''): string {
  return `histogram_quantile(${of}, ${rate(`${histogram}_bucket`, ['le', ...by], where)})`;
}

/** The usual three quantiles of a histogram. */
export function quantiles(histogram: string, where = ''): Panel['series'] {
  return [0.5, 0.95, 0.99].map((of) => [quantile(of, histogram, [], where), `p${of * 100}`] as const);
}

const PANELS_IN_ROW = 3;
const COLUMNS = 24;
const HEIGHT = 8;
const DATASOURCE = { type: 'prometheus', uid: `\${datasource}` };

/** A dashboard in Grafana's JSON model. */
export function grafanaModel({ name, title, description, rows }: Dashboard): object {
  const panels: object[] = [];
  let [y, id] = [0, 1];
  for (const row of rows) {
    panels.push({
      id: id++,
      type: 'row',
      title: row.title,
      collapsed: false,
      panels: [],
      gridPos: place(0, y, COLUMNS, 1),
    });
    y += 1;
    const width = COLUMNS / PANELS_IN_ROW;
    for (const [index, panel] of row.panels.entries()) {
      const line = Math.floor(index / PANELS_IN_ROW);
      panels.push(modelOf(panel, id++, place((index % PANELS_IN_ROW) * width, y + line * HEIGHT, width, HEIGHT)));
    }
    y += Math.ceil(row.panels.length / PANELS_IN_ROW) * HEIGHT;
  }
  return {
    uid: name,
    title,
    description,
    tags: ['exchange'],
    schemaVersion: 39,
    version: 1,
    editable: true,
    graphTooltip: 1,
    refresh: '30s',
    time: { from: 'now-3h', to: 'now' },
    timezone: 'utc',
    links: [
      {
        type: 'dashboards',
        title: 'Exchange',
        tags: ['exchange'],
        asDropdown: true,
        keepTime: true,
        includeVars: true,
      },
    ],
    templating: { list: VARIABLES },
    panels,
  };
}

const VARIABLES = [
  { name: 'datasource', label: 'Prometheus', type: 'datasource', query: 'prometheus', current: {}, hide: 0 },
  {
    name: 'instance',
    label: 'Process',
    type: 'query',
    datasource: DATASOURCE,
    query: { query: 'label_values(exchange_build_info, instance)', refId: 'instance' },
    refresh: 2,
    sort: 1,
    multi: true,
    includeAll: true,
    allValue: '.*',
    current: { text: 'All', value: '$__all' },
  },
];

function place(x: number, y: number, w: number, h: number) {
  return { x, y, w, h };
}

function modelOf(
  { title, description, unit, series, isFigure, isStacked }: Panel,
  id: number,
  gridPos: object,
): object {
  const targets = series.map(([expr, legendFormat], index) => ({
    refId: String.fromCharCode('A'.charCodeAt(0) + index),
    datasource: DATASOURCE,
    expr,
    legendFormat,
    ...(isFigure && { instant: true }),
  }));
  const custom = isStacked ? { stacking: { mode: 'normal' }, fillOpacity: 30 } : { fillOpacity: 5 };
  return {
    id,
    type: isFigure ? 'stat' : 'timeseries',
    title,
    description,
    datasource: DATASOURCE,
    gridPos,
    fieldConfig: { defaults: { unit, min: 0, ...(!isFigure && { custom }) }, overrides: [] },
    options: isFigure
      ? { reduceOptions: { calcs: ['lastNotNull'] }, textMode: 'value_and_name' }
      : { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } },
    targets,
  };
}
