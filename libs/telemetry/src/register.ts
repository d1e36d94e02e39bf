// Loaded by `node --import` before anything else, so that http, undici, pg and pino are instrumented when
// the application first imports them.
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { createRequire, setSourceMapsSupport, syncBuiltinESMExports } from 'node:module';
import { instrumentations } from './instrumentations.ts';
import { startProviders } from './providers.ts';
import { nameRoutes } from './routes.ts';
import { sdkDisabled, started } from './sdk.ts';

// Of our code alone: those of libraries would take 8 MB of each process.
setSourceMapsSupport(true, { nodeModules: false });
if (!sdkDisabled(process.env)) await register();

async function register(): Promise<void> {
  process.env['OTEL_SERVICE_NAME'] ??= process.env['SERVICE_NAME'] ?? 'stoa';
  started.flush = await startProviders(process.env);
  const instrumented = instrumentations();
  registerInstrumentations({ instrumentations: [...instrumented] });
  // Node's own modules are patched when somebody requires them; a process that only imports them would go untraced.
  const require = createRequire(import.meta.url);
  require('node:http');
  require('node:https');
  syncBuiltinESMExports();
  nameRoutes();
  const [http] = instrumented;
  started.httpVersion = http.instrumentationVersion;
}
