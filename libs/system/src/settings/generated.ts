import { readFileSync } from 'node:fs';
import { inRepository } from '../paths.ts';
import { followedEvents } from './followed-events.ts';
import { withNatsRights } from './nats-rights.ts';

const configuration = 'deploy/nats/nats.conf';

/** The rights of NATS users, and the subjects that services follow. */
export const generated = () =>
  new Map([
    [configuration, withNatsRights(readFileSync(inRepository(configuration), 'utf8'))],
    ['deploy/nats/consumers.json', followedEvents()],
  ]);
