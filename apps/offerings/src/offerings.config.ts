import { Environment, linksEnvironment, serviceEnvironment } from '@stoa/platform';

export class OfferingsConfig extends Environment(serviceEnvironment.extend(linksEnvironment.shape)) {}
