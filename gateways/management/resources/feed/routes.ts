import { readDspFeed } from './read.ts';

export const feedRoutes = [readDspFeed];
