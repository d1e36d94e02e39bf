import { inRepository } from '@stoa/stack';
import { writeFileSync } from 'node:fs';
import { generated } from './generated.ts';

for (const [path, text] of await generated()) writeFileSync(inRepository(path), text);
