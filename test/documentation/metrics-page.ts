import { Registry } from 'prom-client';
import { regionLenderMetrics } from '#composition/metrics/region-lender-metrics';
import { GatheredMetrics } from '#composition/supervisor/gathered-metrics';
import { adRequestMetrics, auctionMetrics } from '../../composition/metrics/ad-request-metrics.ts';
import { bidderCallMetrics, bidderMetrics } from '../../composition/metrics/bidder-metrics.ts';
import { edgeMetrics } from '../../composition/metrics/edge-metrics.ts';
import { factMetrics } from '../../composition/metrics/fact-metrics.ts';
import { factsLogMetrics } from '../../composition/metrics/facts-log-metrics.ts';
import {
  earningsMetrics,
  foreignSpoolMetrics,
  impressionMetrics,
  spoolMetrics,
} from '../../composition/metrics/impression-metrics.ts';
import { managementMetrics } from '../../composition/metrics/management-metrics.ts';
import { measuredStore } from '../../composition/metrics/measured-store.ts';
import { processMetrics } from '../../composition/metrics/process-metrics.ts';
import { observeProviders, providerMetrics } from '../../composition/metrics/provider-metrics.ts';
import { regionCountsMetrics } from '../../composition/metrics/region-counts-metrics.ts';
import { regionRelayMetrics } from '../../composition/metrics/region-relay-metrics.ts';
import { LogLevelMetrics } from '../../gateways/log-level-data/log-level-metrics.ts';
import { DeliveryMetrics } from '../../gateways/webhooks/delivery-metrics.ts';
import { NodeMetrics } from '../../runtime/node/metrics.ts';
import { JobFigures } from '../../scheduler/job-figures.ts';
import { SchedulerMetrics } from '../../scheduler/scheduler-metrics.ts';
import { WatermarkMetrics } from '../../scheduler/watermark/watermark-metrics.ts';
import { LABELS, RENAMED } from './metrics-notes.ts';
import { table } from './table.ts';

/** Parts that are asked at a scrape alone, which never comes here. */
const UNASKED = {} as never;
const dspLabel = (dspId: string) => dspId;

/** The section of what a supervisor alone serves. */
export const OF_SUPERVISORS = 'The supervisor of several edges (`EDGE_WORKERS`)';

/** What registers the metrics of each role. */
const SECTIONS: readonly { readonly title: string; readonly register: (registry: Registry) => void }[] = [
  {
    title: 'Every process',
    register(registry) {
      processMetrics(registry, { version: '', revision: '' });
      observeProviders(registry);
      measuredStore(registry, UNASKED);
      providerMetrics(registry, UNASKED);
      factsLogMetrics(registry, null);
      new NodeMetrics(registry);
    },
  },
  {
    title: 'The role `edge`',
    register(registry) {
      adRequestMetrics(registry);
      auctionMetrics(registry);
      factMetrics(registry, dspLabel);
      bidderCallMetrics(registry, dspLabel);
      bidderMetrics(registry, UNASKED, dspLabel);
      impressionMetrics(registry);
      earningsMetrics(registry);
      spoolMetrics(registry, UNASKED);
      foreignSpoolMetrics(registry, UNASKED);
      regionLenderMetrics(registry, UNASKED);
      regionRelayMetrics(registry, UNASKED, UNASKED);
      regionCountsMetrics(registry, null);
      edgeMetrics(registry, UNASKED);
    },
  },
  { title: 'The role `management`', register: (registry) => void managementMetrics(registry) },
  {
    title: 'The role `scheduler`',
    register(registry) {
      new SchedulerMetrics(registry);
      new JobFigures(registry);
      new WatermarkMetrics(registry);
      new DeliveryMetrics(registry);
    },
  },
  {
    title: 'The role `scheduler`, where log-level data are written',
    register: (registry) => void new LogLevelMetrics(registry, UNASKED),
  },
  { title: OF_SUPERVISORS, register: (registry) => void new GatheredMetrics(registry) },
];

/** A metric as it is declared. */
export interface DeclaredMetric {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly labels: readonly string[];
}

/** All metrics by the title of their section, in the order of the page. */
export async function declaredMetrics(): Promise<ReadonlyMap<string, readonly DeclaredMetric[]>> {
  const sections = new Map<string, readonly DeclaredMetric[]>();
  for (const { title, register } of SECTIONS) {
    const registry = new Registry();
    register(registry);
    const metrics = registry.getMetricsAsArray().map((metric) => {
      // Some of prom-client's own metrics have their labels in the values alone.
      const { name, help, type, labelNames = [] } = metric as typeof metric & { labelNames?: readonly string[] };
      return { name, help, type: String(type), labels: [...labelNames].filter((label) => label !== 'le') };
    });
    sections.set(
      title,
      metrics.sort((a, b) => (a.name < b.name ? -1 : 1)),
    );
  }
  return sections;
}

const INTRODUCTION = `# Metrics

<!-- Made of the metrics' declarations by \`npm run reference\`: change the declaration, not this page. -->

Every process serves its metrics in Prometheus' text format at \`/metrics\` of its operations port
([OPS_PORT](settings.md), 9090), which must stay inside the private network. The names below are a contract: a name, its
type, its labels and their meaning change with a note in the change log and below. Tests hold this page to a
running exchange, and every metric that a dashboard or an alert names to what it serves.

- \`deploy/prometheus/\` has a configuration and [alert rules](runbook/README.md), \`deploy/grafana/\` dashboards.
  \`docker compose -f docker-compose.yml -f docker-compose.monitoring.yml up\` starts both beside an exchange.
  Without containers, copy \`deploy/prometheus/\`, write the operations ports of your processes in \`targets\` (\`["localhost:9090"]\` for \`npm start\`), and start
  \`prometheus --config.file=prometheus.yml --web.listen-address=127.0.0.1:9091\`: Prometheus' own port is 9090 too, unless it is told another.
- A counter starts at 0 with its process: take \`rate()\` or \`increase()\` of it. Sum over processes, and take \`max()\` where the leader
  among the schedulers alone knows a figure.
- Money in metrics is a figure of the moment. The ledgers have the books.
- Series that are read from a server or a disk at the scrape are left out where it does not answer within 1.5 s. With
  [EDGE_WORKERS](settings.md) all series have the label \`process\`; \`exchange_process_up\` says whose are missing.
- \`exchange_redis_…\` and \`exchange_mongodb_…\` stay without values where the embedded log and store are used.`;

/** docs/metrics.md. */
export async function metricsPage(): Promise<string> {
  const sections = [...(await declaredMetrics())].map(([title, metrics]) => {
    const rows = metrics.map(({ name, help, type, labels }) => [
      `\`${name}\``,
      type,
      unitOf(name),
      labels.map((label) => `\`${label}\``).join(', '),
      help,
    ]);
    return `## ${title}\n\n${table(['name', 'type', 'unit', 'labels', 'meaning'], rows)}`;
  });
  const labels = table(
    ['label', 'values', 'at most'],
    LABELS.map(({ label, values, most }) => [`\`${label}\``, values, most]),
  );
  const renamed = table(
    ['up to 0.4.0', 'since'],
    RENAMED.map(([before, after]) => [`\`${before}\``, after]),
  );
  return `${[
    INTRODUCTION,
    ...sections,
    `## Labels\n\nEvery label has a bound, so that no traffic and no catalogue can fill a Prometheus server.\n\n${labels}`,
    `## Upgrade\n\nMetrics that were renamed after 0.4.0. The old names are gone.\n\n${renamed}`,
  ].join('\n\n')}\n`;
}

function unitOf(name: string): string {
  if (name.endsWith('_timestamp_seconds') || name.endsWith('_start_time_seconds')) return 'seconds since 1970';
  if (/_seconds(_total)?$/.test(name) || /_lag_\w+_seconds$/.test(name)) return 'seconds';
  if (/_bytes$/.test(name)) return 'bytes';
  if (name.endsWith('_ratio')) return 'ratio, 0 to 1';
  if (name.endsWith('_dollars_total')) return 'US dollars';
  if (name.endsWith('_nanos_total')) return 'nano-dollars';
  return '';
}
