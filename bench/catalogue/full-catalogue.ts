import { pino } from 'pino';
import { createProviders } from '../../composition/create-providers.ts';
import { readSettings } from '../../settings.ts';
import { createUnlimitedAccount } from '../management/unlimited-account.ts';
import { Market } from '../matching/market.ts';
import type { Prepare } from '../processes/exchange.ts';
import { campaignDocument, dspDocument, poolDocument, publisherDocument, saveAll } from './documents.ts';

export const PUBLISHERS = 10_000;
export const DSPS = 1_000;
export const CAMPAIGNS = 100_000;
const POOLS = 20;

/** Saves a full catalogue as its actors would leave it, before the program starts. */
export const fullCatalogue: Prepare = async (environment) => {
  await createUnlimitedAccount(environment);
  const { store, close } = await createProviders(readSettings(environment), pino({ level: 'silent' }));
  try {
    await saveAll(store, POOLS, poolDocument);
    await saveAll(store, PUBLISHERS, (at) => publisherDocument(at, at % POOLS));
    await saveAll(store, DSPS, (at) => dspDocument(at, at % POOLS));
    const market = new Market('some');
    await saveAll(store, CAMPAIGNS, (at) => campaignDocument(at, at % DSPS, market.campaign(at)));
  } finally {
    await close();
  }
};
