import { Environment, linksEnvironment, publicReadsEnvironment, serviceEnvironment } from '@stoa/platform';
import { limits } from '@stoa/contracts';
import { z } from 'zod';

const environment = serviceEnvironment.extend({
  ...linksEnvironment.shape,
  ...publicReadsEnvironment.shape,
  PUBLISH_NEEDS_PROOF: z
    .stringbool()
    .default(false)
    .describe('Whether profiles, with their offerings, are public only once their e-mail address is proved.'),
  REVIEW_DAYS: z.coerce
    .number()
    .int()
    .min(30)
    .max(limits.reviewDays)
    .default(limits.reviewDays)
    .describe('How long a case about a reported page is kept once it is dismissed or restored, in days.'),
});

export class CreatorsConfig extends Environment(environment) {}
