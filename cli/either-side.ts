import { ExchangeError } from '#client/index';

/** The paths of one resource of publishers and of demand sources. */
export interface EitherSide<OfPublisher extends string, OfDemand extends string> {
  readonly ofPublisher: OfPublisher;
  readonly ofDemand: OfDemand;
}

/**
 * Reads what a publisher or a demand source has. An id does not say whose it is: it is looked for among publishers,
 * then among demand sources.
 */
export async function ofEitherSide<OfPublisher extends string, OfDemand extends string, T>(
  { ofPublisher, ofDemand }: EitherSide<OfPublisher, OfDemand>,
  read: (path: OfPublisher | OfDemand) => Promise<T>,
): Promise<T> {
  try {
    return await read(ofPublisher);
  } catch (error) {
    if (!(error instanceof ExchangeError && error.code === 'NOT_FOUND')) throw error;
    return read(ofDemand);
  }
}
