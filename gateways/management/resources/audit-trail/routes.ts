import { listAuditTrail } from './list.ts';

export const auditTrailRoutes = [listAuditTrail];
