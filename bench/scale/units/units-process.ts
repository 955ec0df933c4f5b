import { jobOf, sendToParent } from '../../processes/child.ts';
import { measureUnits } from './measure.ts';

/** Measures the unit costs, and sends them as its only message. */
const { seed } = jobOf<{ seed: string }>();
sendToParent(measureUnits(seed));
process.disconnect();
