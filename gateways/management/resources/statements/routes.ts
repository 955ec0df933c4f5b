import { listStatements } from './list.ts';

export const statementRoutes = [listStatements];
