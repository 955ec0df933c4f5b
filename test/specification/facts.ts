import type { ExchangeUnderTest } from './against-exchange.ts';

/** How often an edge has counted something of a demand source, as operators read it. */
export function dspFact(exchange: ExchangeUnderTest, dspId: string, name: string): Promise<number> {
  return counted(exchange, 'exchange_dsp_total', [`dsp="${dspId}"`, `fact="${name}"`]);
}

/** Of all publishers together. */
export function platformFact(exchange: ExchangeUnderTest, name: string): Promise<number> {
  return counted(exchange, 'exchange_platform_total', [`fact="${name}"`]);
}

async function counted(exchange: ExchangeUnderTest, metric: string, labels: readonly string[]): Promise<number> {
  const text = await (await fetch(`${exchange.running.opsUrl}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line.startsWith(`${metric}{`));
  const line = lines.find((one) => labels.every((label) => one.includes(label)));
  return line === undefined ? 0 : Number(line.slice(line.lastIndexOf(' ')));
}
