import { InvalidSettings, readSettings } from '../../settings.ts';

/** An environment with log and store on servers. */
export const BOTH_REAL = { REDIS_URL: 'redis://redis:6379', MONGODB_URL: 'mongodb://mongo:27017/exchange' };

/** The lines of what is wrong with this environment; none when nothing is. */
export function problems(environment: Record<string, string>): string[] {
  try {
    readSettings(environment);
    return [];
  } catch (error) {
    if (!(error instanceof InvalidSettings)) throw error;
    return error.message.split('\n');
  }
}
