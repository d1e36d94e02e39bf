import { RealmEnvironment } from '@stoa/realm';
import { apps, appSchema, SetUpEnvironment } from '@stoa/system';
import { BackupEnvironment } from '@stoa/system/settings/backup-settings';
import { CopyEnvironment } from '@stoa/system/settings/copy-settings';
import { z } from 'zod';

/** One environment variable, from the schema of the process that reads it. */
export interface Setting {
  readonly name: string;
  readonly meaning: string;
  /** Undefined if the variable is required, empty if it is optional without a default. */
  readonly preset: string | undefined;
}

interface Property {
  description?: string;
  default?: unknown;
  enum?: string[];
}

/** The settings in each app's built configuration, in the order of their declaration. */
export async function readSettings(): Promise<Map<string, Setting[]>> {
  const entries = await Promise.all(
    apps.map(async (app) => [app, settingsOf(await appSchema(app, 'dist'))] as const),
  );
  return new Map(entries);
}

export const stepSettings = (): Map<string, Setting[]> =>
  new Map([
    ['Set-up', settingsOf(SetUpEnvironment)],
    ['Set-up of the realm', settingsOf(RealmEnvironment)],
    ['Backups', settingsOf(BackupEnvironment)],
    ['Copies of objects', settingsOf(CopyEnvironment)],
  ]);

export function settingsOf(schema: z.ZodObject): Setting[] {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { unrepresentable: 'any' });
  return Object.entries(properties as Record<string, Property>).map(([name, property]) => ({
    name,
    meaning: [property.description ?? '', choice(property)].filter(Boolean).join(' '),
    preset: 'default' in property ? String(property.default) : required.includes(name) ? undefined : '',
  }));
}

const choice = ({ enum: values }: Property) => values && `One of ${values.join(', ')}.`;
