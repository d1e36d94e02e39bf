import { startService } from '@stoa/platform';
import { IdentityModule } from './identity.module.ts';

await startService(IdentityModule);
