import { inRepository } from '@stoa/stack';
import { readFileSync, writeFileSync } from 'node:fs';
import { readSettings } from './settings.ts';
import { renderSettings, withGenerated } from './table.ts';

const file = inRepository('docs/operations.md');
writeFileSync(file, withGenerated(readFileSync(file, 'utf8'), renderSettings(await readSettings())));
