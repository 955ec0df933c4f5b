import { readFee } from './read.ts';
import { updateFee } from './update.ts';

export const feeRoutes = [readFee, updateFee];
