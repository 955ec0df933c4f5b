import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';

/**
 * The floor: messages of 300 bytes through one stream by bare XADD, XREADGROUP and XACK, in batches of `batch`, with
 * `inFlight` messages in flight. Resolves with messages per second, from the first XADD to the last XACK.
 */
export async function measureStream(
  url: string,
  messages: number,
  batch: number,
  inFlight: number,
): Promise<{ readonly messagesPerSecond: number; readonly cpuMicrosPerMessage: number }> {
  const stream = `bench-${randomUUID()}`;
  const writer = new Redis(url);
  const reader = new Redis(url);
  await writer.xgroup('CREATE', stream, 'bench', '0', 'MKSTREAM');
  const payload = 'x'.repeat(300);
  const cpu = process.cpuUsage();
  const since = performance.now();
  let sent = 0;
  const writeInTurn = async () => {
    while (sent < messages) {
      const count = Math.min(batch, messages - sent);
      sent += count;
      const pipeline = writer.pipeline();
      for (let index = 0; index < count; index++) pipeline.xadd(stream, '*', 'm', payload);
      await pipeline.exec();
    }
  };
  const readAll = async () => {
    for (let read = 0; read < messages; ) {
      const group = ['GROUP', 'bench', 'reader', 'COUNT', batch, 'BLOCK', 1000, 'STREAMS', stream, '>'] as const;
      const answer = (await reader.xreadgroup(...group)) as [string, [string, string[]][]][] | null;
      const entries = answer?.[0]?.[1] ?? [];
      if (entries.length > 0) await reader.xack(stream, 'bench', ...entries.map(([id]) => id));
      read += entries.length;
    }
  };
  const writers = Math.max(1, Math.round(inFlight / batch));
  await Promise.all([readAll(), ...Array.from({ length: writers }, writeInTurn)]);
  const seconds = (performance.now() - since) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  await writer.del(stream);
  writer.disconnect();
  reader.disconnect();
  return { messagesPerSecond: messages / seconds, cpuMicrosPerMessage: (user + system) / messages };
}
