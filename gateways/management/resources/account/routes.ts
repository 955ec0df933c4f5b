import { readAccount } from './read.ts';
import { updateAccount } from './update.ts';

export const accountRoutes = [readAccount, updateAccount];
