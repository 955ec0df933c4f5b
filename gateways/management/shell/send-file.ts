import { send } from '@koa/send';
import type { Context } from 'koa';

/**
 * Sends a file below `options.root`, to be kept as the options say. Without such a file the answer stays 404, kept by
 * nobody.
 */
export async function sendFile(
  ctx: Context,
  path: string,
  options: NonNullable<Parameters<typeof send>[2]>,
): Promise<void> {
  ctx.remove('Cache-Control');
  try {
    await send(ctx, path, options);
  } catch (error) {
    if ((error as { readonly status?: unknown }).status !== 404) throw error;
    ctx.set('Cache-Control', 'no-store');
  }
}
