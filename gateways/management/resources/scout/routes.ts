import { takeScoutEvents } from './events.ts';
import { readViewability } from './viewability.ts';

export const scoutRoutes = [takeScoutEvents, readViewability];
