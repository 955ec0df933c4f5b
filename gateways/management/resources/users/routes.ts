import { createUser } from './create.ts';
import { listUsers } from './list.ts';
import { readUser } from './read.ts';
import { removeUser } from './remove.ts';
import { resetSecondFactor } from './reset-second-factor.ts';
import { updateUser } from './update.ts';

export const userRoutes = [listUsers, createUser, readUser, updateUser, removeUser, resetSecondFactor];
