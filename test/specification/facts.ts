import type { ExchangeUnderTest } from './against-exchange.ts';

/** Of a demand source. */
export function dspMetric(exchange: ExchangeUnderTest, dspId: string, name: string, label?: string): Promise<number> {
  return counted(exchange, name, [`dsp="${dspId}"`, ...(label === undefined ? [] : [label])]);
}

/** Of all publishers together. `label`: as `outcome="repeated"`. */
export function platformMetric(exchange: ExchangeUnderTest, name: string, label: string): Promise<number> {
  return counted(exchange, name, [label]);
}

/** How often an edge has counted something, as operators read it: the first series with these labels; 0 for none. */
async function counted(exchange: ExchangeUnderTest, metric: string, labels: readonly string[]): Promise<number> {
  const text = await (await fetch(`${exchange.running.opsUrl}/metrics`)).text();
  if (!text.includes(`# TYPE ${metric} counter\n`)) throw new Error(`no counter is named ${metric}`);
  const lines = text.split('\n').filter((line) => line.startsWith(`${metric}{`));
  const line = lines.find((one) => labels.every((label) => one.includes(label)));
  return line === undefined ? 0 : Number(line.slice(line.lastIndexOf(' ')));
}
