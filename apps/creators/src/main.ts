import { startService } from '@stoa/platform';
import { CreatorsModule } from './creators.module.ts';

await startService(CreatorsModule);
