import {
  demandSourceLogLevelData,
  demandSourceLogLevelFile,
  supplySourceLogLevelData,
  supplySourceLogLevelFile,
} from './for-account.ts';
import { dspLogLevelData, dspLogLevelFile, publisherLogLevelData, publisherLogLevelFile } from './for-source.ts';

export const logLevelDataRoutes = [
  supplySourceLogLevelData,
  supplySourceLogLevelFile,
  demandSourceLogLevelData,
  demandSourceLogLevelFile,
  publisherLogLevelData,
  publisherLogLevelFile,
  dspLogLevelData,
  dspLogLevelFile,
];
