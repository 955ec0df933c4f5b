import type { AnyRoute } from '../../routing/route.ts';
import { exchange } from './exchange.ts';
import { regions } from './regions.ts';
import { exchangeSettings } from './settings.ts';

export const exchangeRoutes: readonly AnyRoute[] = [exchange, exchangeSettings, regions];
