import type { AnyRoute } from '../../routing/route.ts';
import { attention } from '../attention/attention.ts';
import { overview } from './overview.ts';

export const overviewRoutes: readonly AnyRoute[] = [overview, attention];
