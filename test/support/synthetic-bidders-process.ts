import { systemRandom } from '../../runtime/providers/system/system-random.ts';
import { startSyntheticBidders } from './synthetic-server.ts';

/**
 * Runs the synthetic bidders in a process of their own, and sends the parent the endpoints of those that bid on
 * everything.
 */
const { endpoints } = await startSyntheticBidders(systemRandom);
process.send?.(['HighBidder', 'LowBidder'].map((name) => endpoints.get(name)));
process.on('disconnect', () => process.exit(0));
