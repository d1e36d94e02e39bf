import { Environment, serviceEnvironment } from '@stoa/platform';

export class IdentityConfig extends Environment(serviceEnvironment) {}
