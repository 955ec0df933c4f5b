import { writeSync } from 'node:fs';
import { ImpressionSpool } from '#edge/impressions/spool';
import { spooledImpression } from './spooled-impression.ts';

/** Spools for ever, four at a time, and prints each id once it is durable; until it is killed. */
const [, , folder] = process.argv;
const spool = new ImpressionSpool({ folder: folder!, maxFileBytes: 20_000 });
let next = 0;

async function spoolForEver(): Promise<never> {
  for (;;) {
    const id = `id-${next++}`;
    await spool.append(spooledImpression(id));
    writeSync(1, `${id}\n`);
  }
}

await Promise.all(Array.from({ length: 4 }, spoolForEver));
