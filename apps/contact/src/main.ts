import { startService } from '@stoa/platform';
import { ContactModule } from './contact.module.ts';

await startService(ContactModule);
