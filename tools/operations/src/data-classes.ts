import { inRepository } from '@stoa/system';
import { services } from '@stoa/system/settings/names';
import { readFileSync } from 'node:fs';
import { code, page, table } from './reference-page.ts';

const dataClasses = ['public', 'internal', 'personal', 'confidential'] as const;
type DataClass = (typeof dataClasses)[number];

interface Column {
  readonly table: string;
  readonly name: string;
  /** The class of the column; undefined where the schema names none. */
  readonly dataClass: DataClass | undefined;
}

interface DataRegister {
  readonly columns: readonly Column[];
  /** How long personal data is kept, by table or `table.column`. */
  readonly retention: ReadonlyMap<string, string>;
}

export const readRegister = (service: string): DataRegister =>
  registerOf(readFileSync(inRepository('apps', service, 'prisma/schema.prisma'), 'utf8'));

/**
 * The class and the retention of each column, from the comments of a Prisma schema: `// personal: 3 days` ends the line of a
 * column, `// kept: 3 days` begins a table. The two tables of events are the same in all services and have none.
 */
export function registerOf(schema: string): DataRegister {
  const columns: Column[] = [];
  const retention = new Map<string, string>();
  for (const [, model = '', body = ''] of schema.matchAll(/^model (\w+) \{\n(.*?)^\}/gms)) {
    if (['OutboxEntry', 'InboxEntry'].includes(model)) continue;
    const kept = /^ {2}\/\/ kept: (.+)$/m.exec(body)?.[1];
    if (kept) retention.set(model, kept);
    for (const [line, name = ''] of body.matchAll(/^ {2}(\w+) +\w.*$/gm)) {
      const [, comment, until] = / \/\/ (\w+)(?:: (.+))?$/.exec(line) ?? [];
      columns.push({ table: model, name, dataClass: dataClasses.find((one) => one === comment) });
      if (until) retention.set(`${model}.${name}`, until);
    }
  }
  return { columns, retention };
}

/** Generates docs/reference/data.md from the Prisma schemas. */
export const dataPage = (): string =>
  page(
    'Data by class',
    'A comment in `apps/<service>/prisma/schema.prisma` gives each column of each database its class. [Security](../security/data.md) explains how each class is protected.',
    ...services.map((service) => sectionOf(service, readRegister(service))),
  );

function sectionOf(service: string, { columns, retention }: DataRegister): string {
  const rows = [...Map.groupBy(columns, ({ table: name }) => name)].map(([name, own]) => [
    code(name),
    ...dataClasses.map((dataClass) =>
      own
        .filter((column) => column.dataClass === dataClass)
        .map((column) => code(column.name))
        .join(', '),
    ),
  ]);
  const kept = [...retention].map(([name, text]) => [code(name), text]);
  return [
    `## ${service}`,
    table(['table', ...dataClasses], rows),
    table(['personal data', 'kept'], kept),
  ].join('\n\n');
}
