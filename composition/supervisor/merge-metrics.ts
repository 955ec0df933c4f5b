const HELP = '# HELP ';

/**
 * One Prometheus text of those of several processes. A metric has one heading and the samples of all; a label of their
 * own tells the samples of one process from those of another.
 */
export function mergeMetrics(texts: readonly string[]): string {
  const samples = new Map<string, { readonly heading: string; readonly lines: string[] }>();
  for (const text of texts) {
    for (const block of text.split(new RegExp(`^(?=${HELP})`, 'm'))) {
      const lines = block.split('\n').filter((line) => line !== '');
      const heading = lines.filter((line) => line.startsWith('#')).join('\n');
      if (!heading.startsWith(HELP)) continue;
      const name = heading.slice(HELP.length).split(' ', 1)[0]!;
      const metric = samples.get(name) ?? { heading, lines: [] };
      samples.set(name, metric);
      metric.lines.push(...lines.filter((line) => !line.startsWith('#')));
    }
  }
  return [...samples.values()].map(({ heading, lines }) => `${[heading, ...lines].join('\n')}\n`).join('\n');
}
