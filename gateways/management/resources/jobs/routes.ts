import { listJobs } from './list.ts';
import { runJob } from './run.ts';

export const jobRoutes = [listJobs, runJob];
