import type { AnyRoute } from '../../routing/route.ts';
import { readCurrencyRates } from './read.ts';

export const currencyRateRoutes: readonly AnyRoute[] = [readCurrencyRates];
