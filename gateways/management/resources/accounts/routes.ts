import { listAccounts } from './list.ts';
import { openAccount } from './open.ts';
import { readAnyAccount } from './read.ts';
import { updateAnyAccount } from './update.ts';

export const accountsRoutes = [listAccounts, openAccount, readAnyAccount, updateAnyAccount];
