import { inRepository } from '@stoa/system';
import { readFileSync, writeFileSync } from 'node:fs';
import { readSettings, stepSettings } from './settings.ts';
import { renderSettings, withGenerated } from './table.ts';

const file = inRepository('docs/operations.md');
const text = renderSettings(await readSettings(), stepSettings());
writeFileSync(file, withGenerated(readFileSync(file, 'utf8'), text));
