import { startSyntheticBidders } from '../../gateways/bidders/synthetic/synthetic-bidders.ts';

/** The synthetic bidders in a process of their own. Sends their endpoints to the parent. */
const { endpoints } = await startSyntheticBidders();
process.send?.([...endpoints.values()]);
process.on('disconnect', () => process.exit(0));
