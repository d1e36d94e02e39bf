import { startService } from '@stoa/platform';
import { MediaModule } from './media.module.ts';

await startService(MediaModule);
