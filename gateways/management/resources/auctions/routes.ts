import { listAuctions } from './list.ts';
import { readAuction } from './read.ts';
import { auctionReasons } from './reasons.ts';

/** The path of fixed words stands before the path with a parameter, which would match it too. */
export const auctionRoutes = [listAuctions, auctionReasons, readAuction];
