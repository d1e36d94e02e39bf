// `node --import` loads this file first, so that http, undici, pg and pino are instrumented when the
// application imports them.
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { createRequire, setSourceMapsSupport, syncBuiltinESMExports } from 'node:module';
import { instrumentations } from './instrumentations.ts';
import { startProviders } from './providers.ts';
import { nameRoutes } from './routes.ts';
import { sdkDisabled, sdk } from './sdk.ts';

// Only of our code: source maps of libraries would take 8 MB of each process.
setSourceMapsSupport(true, { nodeModules: false });
if (!sdkDisabled(process.env)) await register();

async function register(): Promise<void> {
  process.env['OTEL_SERVICE_NAME'] ??= process.env['SERVICE_NAME'] ?? 'stoa';
  sdk.flush = await startProviders(process.env);
  const instrumented = instrumentations();
  registerInstrumentations({ instrumentations: [...instrumented] });
  // The instrumentation patches Node's own modules when they are required. A process that only imports them
  // would not be traced.
  const require = createRequire(import.meta.url);
  require('node:http');
  require('node:https');
  syncBuiltinESMExports();
  nameRoutes();
  const [http] = instrumented;
  sdk.httpVersion = http.instrumentationVersion;
}
