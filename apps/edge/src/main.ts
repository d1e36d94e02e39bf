import { superviseProcess } from '@stoa/platform';
import { runEdge } from './edge.app.ts';

superviseProcess(await runEdge());
