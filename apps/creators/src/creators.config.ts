import { Environment, serviceEnvironment } from '@stoa/platform';

export class CreatorsConfig extends Environment(serviceEnvironment) {}
