import { Environment, serviceEnvironment } from '@stoa/platform';

export class OfferingsConfig extends Environment(serviceEnvironment) {}
