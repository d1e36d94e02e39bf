import { startService } from '@stoa/platform';
import { OfferingsModule } from './offerings.module.ts';

await startService(OfferingsModule);
