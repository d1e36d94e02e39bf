import { Environment, linksEnvironment, publicReadsEnvironment, serviceEnvironment } from '@stoa/platform';
import { z } from 'zod';

const environment = serviceEnvironment.extend({
  ...linksEnvironment.shape,
  ...publicReadsEnvironment.shape,
  COUNT_PAGE_MS: z.coerce
    .number()
    .int()
    .min(100)
    .default(60_000)
    .describe('Pause between the announcements of counts of 100 creators each, which correct wrong counts.'),
});

export class OfferingsConfig extends Environment(environment) {}
