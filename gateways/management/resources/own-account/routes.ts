import { readOwnAccount } from './read.ts';
import { updateOwnAccount } from './update.ts';

export const ownAccountRoutes = [readOwnAccount, updateOwnAccount];
