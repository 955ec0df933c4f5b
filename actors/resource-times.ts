import Type from 'typebox';
import { Timestamp } from './api-schemas.ts';

/** When a resource was created and last changed: ISO 8601, UTC; '' while nothing was created. Part of its field table. */
export const resourceTimes = {
  createdAt: {
    state: Type.String(),
    initial: '',
    api: { name: 'created_at', shown: Timestamp, example: '2026-03-14T09:26:53.589Z' },
  },
  updatedAt: {
    state: Type.String(),
    initial: '',
    api: { name: 'updated_at', shown: Timestamp, example: '2026-03-15T08:00:00.000Z' },
  },
} as const;
