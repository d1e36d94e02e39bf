import { inRepository } from '@stoa/system';
import { writeFileSync } from 'node:fs';
import { generated } from './generated.ts';

for (const [path, text] of await generated()) writeFileSync(inRepository(path), text);
