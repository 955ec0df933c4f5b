import { readBudget } from './read.ts';
import { updateBudget } from './update.ts';

export const budgetRoutes = [readBudget, updateBudget];
