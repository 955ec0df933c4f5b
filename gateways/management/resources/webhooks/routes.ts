import { createWebhook } from './create.ts';
import { listWebhooks } from './list.ts';
import { readWebhook } from './read.ts';
import { removeWebhook } from './remove.ts';
import { updateWebhook } from './update.ts';

export const webhookRoutes = [listWebhooks, createWebhook, readWebhook, updateWebhook, removeWebhook];
