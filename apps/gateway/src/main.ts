import { superviseProcess } from '@stoa/platform';
import { runGateway } from './gateway.app.ts';

superviseProcess(await runGateway());
