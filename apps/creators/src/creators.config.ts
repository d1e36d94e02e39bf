import { Environment, linksEnvironment, serviceEnvironment } from '@stoa/platform';

export class CreatorsConfig extends Environment(serviceEnvironment.extend(linksEnvironment.shape)) {}
