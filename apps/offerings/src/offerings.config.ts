import { Environment, linksEnvironment, publicReadsEnvironment, serviceEnvironment } from '@stoa/platform';

const environment = serviceEnvironment.extend({
  ...linksEnvironment.shape,
  ...publicReadsEnvironment.shape,
});

export class OfferingsConfig extends Environment(environment) {}
