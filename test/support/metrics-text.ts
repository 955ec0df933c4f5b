/** One metric of Prometheus' text format. */
export interface ServedMetric {
  readonly type: string;
  readonly help: string;
  /** The labels of its series, but for `le` and `quantile`. */
  readonly labels: readonly string[];
}

/** The metrics of a text in Prometheus' format, by name. */
export function metricsIn(text: string): Map<string, ServedMetric> {
  const metrics = new Map<string, { type: string; help: string; labels: string[] }>();
  let current = { type: '', help: '', labels: [] as string[] };
  for (const line of text.split('\n')) {
    const [, word, name, rest] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (word === 'HELP') {
      current = { type: '', help: rest!.replaceAll('\\n', '\n').replaceAll('\\\\', '\\'), labels: [] };
      metrics.set(name!, current);
    } else if (word === 'TYPE') current.type = rest!;
    else
      for (const [, label] of line.matchAll(/[{,]([a-z_]\w*)="/g))
        if (label !== 'le' && label !== 'quantile' && !current.labels.includes(label!)) current.labels.push(label!);
  }
  return metrics;
}
