import { readFileSync, writeFileSync } from 'node:fs';
import { inRepository } from '../paths.ts';
import { followedEvents } from './followed-events.ts';
import { withNatsRights } from './nats-rights.ts';

const file = inRepository('deploy/nats/nats.conf');
writeFileSync(file, withNatsRights(readFileSync(file, 'utf8')));
writeFileSync(inRepository('deploy/nats/consumers.json'), followedEvents());
