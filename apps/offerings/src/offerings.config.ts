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
    .describe('Pause before the counts of the next 100 creators are told, so that a wrong one is mended.'),
});

export class OfferingsConfig extends Environment(environment) {}
