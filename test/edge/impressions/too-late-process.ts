import { ImpressionSpool } from '#edge/impressions/spool';
import { spooledImpression } from './spooled-impression.ts';

/**
 * Keeps impressions that came too late, more than a file may hold and one at the same time, and prints each failure.
 */
const [, , folder] = process.argv;
const spool = new ImpressionSpool({ folder: folder! });
const many = Array.from({ length: 1_000 }, (_, nth) => spooledImpression(`late-${nth}`));
const keepMany = () => spool.keepTooLate(many).catch(({ code }: NodeJS.ErrnoException) => console.log(code));
await Promise.all([keepMany(), spool.keepTooLate([spooledImpression('kept')]), keepMany()]);
