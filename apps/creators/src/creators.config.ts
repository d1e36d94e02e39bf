import { Environment, linksEnvironment, publicReadsEnvironment, serviceEnvironment } from '@stoa/platform';
import { z } from 'zod';

const environment = serviceEnvironment.extend({
  ...linksEnvironment.shape,
  ...publicReadsEnvironment.shape,
  PUBLISH_NEEDS_PROOF: z
    .stringbool()
    .default(false)
    .describe('Whether profiles, with their offerings, are public only once their e-mail address is proved.'),
});

export class CreatorsConfig extends Environment(environment) {}
