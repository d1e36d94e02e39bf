import { shutDownOnSignals } from '@stoa/platform';
import { runGateway } from './gateway.app.ts';

shutDownOnSignals(await runGateway());
