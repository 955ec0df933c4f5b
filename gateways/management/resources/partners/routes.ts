import { createPartner } from './create.ts';
import { listPartners } from './list.ts';
import { readPartner } from './read.ts';
import { updatePartner } from './update.ts';

export const partnerRoutes = [listPartners, createPartner, readPartner, updatePartner];
