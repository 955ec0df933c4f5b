import { createAccount } from './create.ts';
import { listAccounts } from './list.ts';
import { readAccount } from './read.ts';
import { updateAccount } from './update.ts';

export const accountRoutes = [listAccounts, createAccount, readAccount, updateAccount];
