import { shutDownOnSignals } from '@stoa/platform';
import { runEdge } from './edge.app.ts';

shutDownOnSignals(await runEdge());
