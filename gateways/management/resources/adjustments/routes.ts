import { bookAdjustment } from './create.ts';
import { listAdjustments } from './list.ts';

export const adjustmentRoutes = [listAdjustments, bookAdjustment];
