import { auditTrailHeads } from './heads.ts';
import { listAuditTrail } from './list.ts';

export const auditTrailRoutes = [listAuditTrail, auditTrailHeads];
