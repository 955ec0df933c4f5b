import Type from 'typebox';
import { Name, Timestamp, Uuid } from './api-schemas.ts';
import { ReservedName } from './name/reservation.ts';

/** The rows with which the field table of a resource with a reserved name begins. */
export const namedResource = (example?: { readonly id: string; readonly name: string }) =>
  ({
    id: { api: { name: 'id', shown: Uuid, example: example?.id } },
    /** '' while nothing was created. */
    accountId: { state: Type.String(), initial: '', projected: true },
    name: {
      state: Type.String(),
      message: Type.String({ minLength: 1 }),
      initial: '',
      projected: true,
      api: { name: 'name', shown: Type.String(), written: Name, required: true, example: example?.name },
    },
    borneName: { state: ReservedName, initial: null },
  }) as const;

/** The revision of a resource: 1 when created, one more with each change. The API shows it as ETag alone. */
export const revision = { state: Type.Integer({ minimum: 0 }), initial: 0 } as const;

/** When a resource was created and last changed: ISO 8601, UTC; '' while nothing was created. */
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
