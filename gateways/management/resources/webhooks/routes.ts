import { createWebhook } from './create.ts';
import { listDeliveries } from './deliveries/list.ts';
import { replayDelivery } from './deliveries/replay.ts';
import { sendTestEvent } from './deliveries/send-test.ts';
import { listWebhooks } from './list.ts';
import { readWebhook } from './read.ts';
import { removeWebhook } from './remove.ts';
import { rotateWebhookSecret } from './rotate.ts';
import { updateWebhook } from './update.ts';

export const webhookRoutes = [
  listWebhooks,
  createWebhook,
  readWebhook,
  updateWebhook,
  removeWebhook,
  rotateWebhookSecret,
  sendTestEvent,
  listDeliveries,
  replayDelivery,
];
