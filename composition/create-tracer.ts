import type { Tracer } from '../runtime/ports/tracer.ts';
import { systemClock } from '../runtime/providers/system/system-clock.ts';
import { systemRandom } from '../runtime/providers/system/system-random.ts';
import type { Settings } from '../settings.ts';
import { readVersion } from '../version.ts';

/** Null where nothing is traced. OpenTelemetry's packages are loaded only where something is. */
export async function createTracer({ tracesUrl, tracesPerMillion, region, roles }: Settings): Promise<Tracer | null> {
  if (tracesUrl === null) return null;
  const { OpenTelemetryTracer } = await import('../runtime/providers/opentelemetry/opentelemetry-tracer.ts');
  return new OpenTelemetryTracer({
    url: tracesUrl,
    perMillion: tracesPerMillion,
    process: {
      'service.name': 'ad-exchange',
      'service.version': await readVersion(),
      'service.instance.id': `${region}-${process.pid}`,
      'exchange.roles': [...roles].join(','),
      'cloud.region': region,
    },
    clock: systemClock,
    random: systemRandom,
  });
}
