import { randomUUID } from 'node:crypto';
import type { Impression } from '#actors/impression-rollup/messages';
import { encodeEnvelope } from '#runtime/node/envelope';
import type { MessageLog } from '#runtime/ports/log';
import type { Position } from '#runtime/ports/position';

/** Puts an impression into a partition of the log, as an edge does when the pixel is called. */
export async function bill(log: MessageLog, partition: number, changes: Partial<Impression> = {}): Promise<Position> {
  const body: Impression = {
    id: randomUUID(),
    auction: 'a1',
    publisher: 'p1',
    dsp: 'd1',
    account: 'acc',
    priceCpmMicros: 100,
    feePpm: 0,
    region: 'fra',
    ...changes,
  };
  const payload = encodeEnvelope({ to: `tally/${partition}`, type: 'impression', body });
  const [position] = await log.append(partition, [payload]);
  return position!;
}
