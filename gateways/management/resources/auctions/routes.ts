import { listAuctions } from './list.ts';
import { readAuction } from './read.ts';
import { auctionReasons } from './reasons.ts';

/** A path of words before the path that takes any. */
export const auctionRoutes = [listAuctions, auctionReasons, readAuction];
