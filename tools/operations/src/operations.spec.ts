import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { readSettings, settingsOf, stepSettings } from './settings.ts';

describe('docs/reference/settings.md', () => {
  it('explains every setting', async () => {
    const settings = [...(await readSettings()).values(), ...stepSettings().values()].flat();
    expect(settings.length).toBeGreaterThan(50);
    expect(settings.filter(({ meaning }) => meaning === '')).toEqual([]);
  });
});

describe('a setting', () => {
  it('is required unless its schema has a default or is optional', () => {
    const schema = z.object({
      PORT: z.coerce.number(),
      LEVEL: z.enum(['low', 'high']).default('low'),
      USER: z.string().optional(),
    });
    expect(settingsOf(schema.extend({ PORT: schema.shape.PORT.describe('The port.') }))).toEqual([
      { name: 'PORT', meaning: 'The port.', preset: undefined },
      { name: 'LEVEL', meaning: 'One of low, high.', preset: 'low' },
      { name: 'USER', meaning: '', preset: '' },
    ]);
  });
});
